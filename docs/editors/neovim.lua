-- Neovim 0.7 and newer: `recall server` for Markdown files. Put it in your configuration, or `:source` it.
local function start()
  local root = vim.fs and vim.fs.dirname(vim.fs.find({ "recall.toml", ".recall.toml", ".git" }, { upward = true })[1])
  local client = vim.lsp.start_client({
    name = "recall",
    cmd = vim.g.recall_command or { "recall", "server" },
    root_dir = root or vim.fn.getcwd(),
  })
  return client
end

local client
vim.api.nvim_create_autocmd("FileType", {
  pattern = "markdown",
  callback = function(event)
    client = client or start()
    if client then
      vim.lsp.buf_attach_client(event.buf, client)
    end
  end,
})

;; Emacs 28 and newer with eglot: `recall server' for Markdown files. Put it in your configuration.
(require 'eglot)
(defvar recall-command '("recall" "server") "How to start the language server.")
(add-to-list 'eglot-server-programs (cons 'markdown-mode recall-command))
(add-hook 'markdown-mode-hook #'eglot-ensure)

"""The words that generated memos are made of."""

AREAS = (
    "billing", "catalogue", "checkout", "delivery", "identity", "messaging", "metrics", "payments", "platform",
    "search",
)  # fmt: skip
KINDS = ("decisions", "guides", "incidents", "memories", "runbooks")
"""Ten areas of five kinds each: fifty folders."""

NOUNS = (
    "account", "alert", "archive", "backup", "balance", "batch", "budget", "buffer", "bucket", "certificate", "channel",
    "client", "cluster", "contract", "counter", "customer", "dashboard", "database", "deadline", "disk", "endpoint",
    "event", "export", "failure", "feed", "field", "filter", "gateway", "handler", "header", "import", "index",
    "invoice", "journal", "key", "latency", "ledger", "limit", "listener", "lock", "log", "mailbox", "merchant",
    "message", "network", "node", "order", "owner", "partition", "password", "payload", "pipeline", "policy", "price",
    "probe", "proxy", "query", "queue", "quota", "receipt", "record", "refund", "region", "release", "replica",
    "report", "request", "retry", "rollout", "router", "schedule", "schema", "secret", "segment", "server", "session",
    "shard", "signal", "snapshot", "socket", "storage", "stream", "table", "tariff", "team", "template", "tenant",
    "threshold", "ticket", "timeout", "token", "topic", "trace", "vault", "voucher", "warehouse", "webhook", "worker",
)  # fmt: skip
ADJECTIVES = (
    "weekly", "nightly", "shared", "regional", "internal", "public", "cold", "warm", "idle", "busy", "slow", "fast",
    "strict", "lenient", "encrypted", "signed", "central", "local", "external", "stale", "recent", "large", "small",
    "flaky", "monthly", "manual", "automatic", "partial", "complete", "secondary", "primary", "temporary", "permanent",
)  # fmt: skip
VERBS = (
    "reads", "writes", "checks", "blocks", "feeds", "follows", "holds", "keeps", "drops", "limits", "starts", "stops",
    "rejects", "accepts", "sends", "stores", "splits", "joins", "counts", "delays", "signs", "verifies", "rotates",
    "scales", "drains", "loads", "copies", "flushes", "watches", "warns about", "depends on", "waits for", "writes to",
)  # fmt: skip
ENDINGS = (
    "before the next release", "in every region", "as soon as it is idle", "during the maintenance window",
    "without a restart", "once an hour", "when the quota is used up", "for at most five minutes", "on the second try",
    "until somebody acknowledges it", "even under load", "as the support team asked for", "since the last outage",
    "behind the same gateway", "at twice the usual rate", "with the owner's consent", "for a month or two",
)  # fmt: skip
REPLACEMENTS = (
    "The {adjective} {noun} replaces a hand-written list that nobody kept.",
    "We replaced the {adjective} {noun} with a smaller one {ending}.",
    "The {noun} flag is deprecated and goes away {ending}.",
    "A {adjective} {noun} was retired {ending}.",
    "Nothing here makes the {adjective} {noun} obsolete.",
)
"""Sentences with a closure word that name no memo."""

FOREIGN = (
    "The café team (Zürich) agreed \u2013 see § 3.",
    "It\u2019s the \u201c{adjective}\u201d {noun} that costs 5 € a day.",
    "負荷が高いときは {noun} を止める。",
)
"""Sentences that are not ASCII."""

DECLARED = (
    "This memo supersedes {link}.",
    "It replaces {link}, which assumed a {adjective} {noun}.",
    "With this decision {link} is obsolete.",
)
"""Sentences that say in the body what the frontmatter declares."""

MENTIONS = (
    "See {link} for the {adjective} {noun}.",
    "The background is in {link}.",
    "{link} describes how the {noun} {verb} the {other}.",
)
STATUSES = ("accepted", "accepted", "accepted", "proposed", "draft", "active")
CODE = (
    "```sh\n{noun}ctl --region eu-west --output {other}.json\n{noun}ctl status | grep {other}\n```\n",
    "```sh\nsed --in-place 's/{noun}/{other}/' {noun}.toml\nsystemctl restart {other}\n```\n",
    "```python\ndef {verb_name}({noun}):\n    return {noun}.replace('{other}', '')\n```\n",
    '```json\n{{"{noun}": {{"{other}": [1, 2, 3], "enabled": true}}}}\n```\n',
)
EXAMPLE = "```yaml\n---\nsupersedes: {other}\n---\n```\n"
"""What a page about frontmatter shows: it declares nothing."""

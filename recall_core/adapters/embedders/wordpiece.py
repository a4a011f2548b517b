"""The tokenizer of the default model: uncased BERT WordPiece over the vocabulary that lies beside this file.

Devlin et al., "BERT" (NAACL 2019), section 3; the settings are those of the model's own tokenizer.
"""

import hashlib
import os
from typing import Any, Final

from recall_core.errors import EmbedderError

VOCABULARY: Final = os.path.join(os.path.dirname(__file__), "minilm-l6-v2-vocab.txt")
_UNKNOWN: Final = "[UNK]"
_DIGEST: Final = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
"""The SHA-256 of the vocabulary with LF line ends: another one would give every word another meaning."""


def load_wordpiece(max_tokens: int) -> Any:
    """A `tokenizers.Tokenizer` that cuts a text to `max_tokens`, its two special tokens included, and pads nothing.

    Raises EmbedderError where the vocabulary is not the one that the model was trained with.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    vocabulary = _read_vocabulary()
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=_UNKNOWN, max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", vocabulary["[SEP]"]), ("[CLS]", vocabulary["[CLS]"]))
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def _read_vocabulary() -> dict[str, int]:
    try:
        with open(VOCABULARY, "rb") as file:
            content = file.read().replace(b"\r\n", b"\n")
    except OSError as error:
        raise EmbedderError("the vocabulary of the default model cannot be read", help=REINSTALL) from error
    if hashlib.sha256(content).hexdigest() != _DIGEST:
        raise EmbedderError("the vocabulary of the default model was changed", help=REINSTALL)
    return {word: number for number, word in enumerate(content.decode().split("\n")) if word}


REINSTALL: Final = "pip install --force-reinstall --no-deps recall-lint"

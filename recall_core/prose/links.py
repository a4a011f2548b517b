"""All links of a body."""

from recall_core.prose.blocks import read_blocks
from recall_core.prose.inline import read_inline
from recall_core.prose.link import Link


def find_links(text: str) -> list[Link]:
    """All links outside code and comments, in order of their ends, images among them; offsets count from 0 in `text`.

    Never raises. A wikilink, a Markdown link inline or by a reference with a definition, and a URL; footnotes are none.
    """
    layout = read_blocks(text)
    return [link for block in layout.blocks for link in read_inline(layout, block).links]

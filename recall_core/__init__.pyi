from recall_core.api import Calibration as Calibration
from recall_core.api import HitVerdict as HitVerdict
from recall_core.api import SearchRefusedError as SearchRefusedError
from recall_core.api import TrustPolicy as TrustPolicy
from recall_core.api import TrustResult as TrustResult
from recall_core.api import apply_entailment as apply_entailment
from recall_core.api import load_calibration as load_calibration
from recall_core.api import open_embedder as open_embedder
from recall_core.api import open_entailer as open_entailer
from recall_core.api import open_store as open_store
from recall_core.api import trusted_search as trusted_search
from recall_core.api import trusted_search_async as trusted_search_async

__version__: str

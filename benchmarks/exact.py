"""Two small statistics of shares: Wilson's interval, and the exact test of paired answers."""

import math

Z95 = 1.959963984540054


def wilson(events: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927); 0 to 1 without any trial."""
    if not trials:
        return 0.0, 1.0
    share = events / trials
    middle = share + Z95**2 / (2 * trials)
    reach = Z95 * math.sqrt(share * (1 - share) / trials + Z95**2 / (4 * trials**2))
    scale = 1 + Z95**2 / trials
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p of McNemar's test, from how often one of two answered right and the other did not."""
    discordant = only_first + only_second
    tail = sum(math.comb(discordant, each) for each in range(min(only_first, only_second) + 1))
    return min(1.0, 2 * tail / 2**discordant)

"""Results that are made once, by whichever of several processes comes first."""

import json


def once(folder, measure):
    """What `measure` returned for a folder, now or in an earlier run. None if another process has begun it."""
    result = folder / "result.json"
    if result.exists():
        return json.loads(result.read_text())
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return None
    measured = measure()
    result.write_text(json.dumps(measured, indent=1))
    return measured

"""Who may, what is masked, which keys: plain strings and dicts, reusable without the rest."""

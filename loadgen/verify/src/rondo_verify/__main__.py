"""``python -m rondo_verify``, which ``./rondo verify`` runs."""

from .command import main

if __name__ == "__main__":
    main(prog_name="./rondo verify")

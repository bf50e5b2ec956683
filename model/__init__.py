"""The making of the static sentence model that ships in the package: one step a file, see README.md."""

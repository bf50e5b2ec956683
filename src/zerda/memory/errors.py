"""Every error that zerda.memory raises.

ZerdaError
├── ConfigError (ValueError)            a setting that cannot work
├── InvalidInput (ValueError)           a value that no call can take; nothing was stored
├── AccessDenied (PermissionError)      the caller lacks the permission
├── EntryNotFound (LookupError)         no such entry in the caller's scope
├── EntryConflict (ValueError)          the id is taken by other content
│   ├── EntryErased                     ... which was erased
│   └── EntryChanged                    the entry is another version by now; nothing was changed
├── MissingExtra (ImportError)          an optional package is not installed; the message names it
├── EmbeddingError                      an embedder failed; entries stay findable by their words
├── LLMError                            a language model failed; nothing that was said is touched
└── StorageError
    ├── StorageUnavailable              the file or server cannot be opened, read or written now
    │   └── StorageReadOnly             it may be read here, not written; nothing was changed
    ├── StorageFull                     no room; what was acknowledged before is safe
    ├── StorageBusy                     another process held the lock past the timeout
    │   └── ErasureIncomplete           erased, but a reader holds a log with its bytes
    ├── StorageDamaged                  the file is not what was written
    ├── SchemaTooNew                    written by a newer version; nothing was changed
    ├── WrongKey                        the encryption key does not open it; nothing was changed
    ├── KeyNeeded                       encrypted, and no key was given; nothing was changed
    ├── NotEncrypted                    a key was given, and the data are plain; nothing was changed
    └── StoreClosed                     used after close()

Where a builtin fits, the error is that too, so ``except PermissionError`` and ``except ValueError`` work.
No error carries a text that a user said.
"""


class ZerdaError(Exception):
    """The root of the family."""


class ConfigError(ZerdaError, ValueError):
    """A setting that cannot work; the message names it, its value and what would do."""


class InvalidInput(ZerdaError, ValueError):
    """A value that no call can take. Nothing was stored."""


class AccessDenied(ZerdaError, PermissionError):
    """The caller lacks the permission. Nothing was done."""


class EntryNotFound(ZerdaError, LookupError):
    """No entry of that id in the caller's scope."""


class EntryConflict(ZerdaError, ValueError):
    """The id already belongs to other content."""


class EntryErased(EntryConflict):
    """The id belonged to what was erased; `allow_again` takes that back."""


class EntryChanged(EntryConflict):
    """The entry is not the version that was named: somebody changed it meanwhile. Nothing was changed."""


class MissingExtra(ZerdaError, ImportError):
    """An optional package is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f'{what} is not installed; run: pip install "zerda-memory[{extra}]"')


class EmbeddingError(ZerdaError):
    """An embedder failed. What was saved stays findable by its words and is indexed later."""


class LLMError(ZerdaError):
    """A language model failed. Nothing that was said is touched."""


class StorageError(ZerdaError):
    """Something between us and the data went wrong."""


class StorageUnavailable(StorageError):
    """The file or server cannot be opened, read or written now."""


class StorageReadOnly(StorageUnavailable):
    """The memory may be read here and not written: its folder or file is read only. Nothing was changed."""


class StorageFull(StorageError):
    """There is no room to write. What was acknowledged before is safe."""


class StorageBusy(StorageError):
    """Another process held the lock for longer than the timeout."""


class ErasureIncomplete(StorageBusy):
    """What was asked is erased for every reader, but its bytes may lie in a log that another reader holds.

    The next erasure in the tenant, `verify_erased` or maintenance finishes it. ``receipt`` tells what went.
    """

    def __init__(self, message: str, receipt: object = None) -> None:
        super().__init__(message)
        self.receipt = receipt


class StorageDamaged(StorageError):
    """The file is not what was written."""


class SchemaTooNew(StorageError):
    """The data was written by a newer version of zerda.memory. Nothing was changed."""


class WrongKey(StorageError):
    """The encryption key is not the one that the memory was encrypted with. Nothing was changed."""


class KeyNeeded(StorageError):
    """The memory is encrypted and no key was given. Nothing was changed."""


class NotEncrypted(StorageError):
    """A key was given, but the memory is not encrypted. Nothing was changed."""


class StoreClosed(StorageError):
    """The store or manager was used after ``close()``."""

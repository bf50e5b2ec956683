-- Receipts lie in the tenants' files from now on, where the erasures are done; no release kept any here.

DROP TABLE receipts;

from tests.contracts.stores import clock, postgres, sqlite_store, store, url

__all__ = ["clock", "postgres", "sqlite_store", "store", "url"]

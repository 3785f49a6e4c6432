import { EmbeddedDatabaseError, linkServerBinaries } from './embedded-binaries.ts'

/** What an installation runs (scripts/bootstrap.cjs). Where there is no embedded PostgreSQL, there is nothing to link. */
await linkServerBinaries().catch((error: unknown) => {
  if (!(error instanceof EmbeddedDatabaseError)) throw error
})

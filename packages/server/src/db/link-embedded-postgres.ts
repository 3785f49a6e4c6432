import { EmbeddedDatabaseError, linkServerBinaries } from './embedded-binaries.ts'

/** Run by an installation (scripts/bootstrap.cjs). Without an embedded PostgreSQL there is nothing to link. */
await linkServerBinaries().catch((error: unknown) => {
  if (!(error instanceof EmbeddedDatabaseError)) throw error
})

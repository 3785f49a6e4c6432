/** The prefix of every run's migrated template. */
export const TEMPLATE = 'fairball_template'

/** The address of another database on the same server. */
export function databaseAddress(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

declare module 'vitest' {
  interface ProvidedContext {
    /** `postgres://` of the server's maintenance database. */
    databaseServer: string
    /** Distinguishes the databases of this run from those of another on the same server. */
    databaseRun: string
  }
}

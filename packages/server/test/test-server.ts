/** The name every run's migrated template starts with. */
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
    /** Tells the databases of this run from those of another on the same server. */
    databaseRun: string
  }
}

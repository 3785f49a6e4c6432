import { onTestFinished } from 'vitest'
import type { TestDatabase } from './database.ts'

let counter = 0

/**
 * A new login that is only a member of a role.
 *
 * @returns its name, and the address of the database for it
 */
export async function loginIn(database: TestDatabase, role: string): Promise<{ login: string; url: string }> {
  const owner = await database.connect()
  const login = new URL(database.url).pathname.slice(1).replace('fairball_test', `login${++counter}`)
  await owner.query(`create role ${login} login in role ${role}`)
  onTestFinished(async () => {
    // From the last test, which ends with the database: a login with connections cannot be dropped.
    await owner.query(`drop owned by ${login}; drop role if exists ${login}`).catch(() => undefined)
  })
  const url = new URL(database.url)
  url.username = login
  return { login, url: url.href }
}

import { CONSOLE, type RoleGrants, WEB } from '../../db/grants.ts'
import type { Queries } from '../../db/pool.ts'
import { findOwnObjects, findPlace, grantLines, makeRoleLine, revokeLines } from '../../db/roles.ts'
import type { OperatorCommand } from './command.ts'

/** The SQL that makes the roles of the database and grants their rights, for the owner of the database server. */
export async function grantsText(db: Queries): Promise<string> {
  const place = await db.one(findPlace, [])
  const roles: string[] = []
  for (const grants of [WEB, CONSOLE]) roles.push(...(await linesOf(db, grants, place.schema)))
  return [
    '-- The roles of the database, as grants.ts of this version lists their rights. A worker does the same at its start',
    '-- if its login may; run this as the owner of the server where it may not.',
    ...[...revokeLines(place), ...roles].map((line) => `${line};`),
    '-- Then the logins, each with a password of its own:',
    `--   create role web login password '…' in role ${WEB.role};`,
    `--   alter role ${CONSOLE.role} login password '…';`,
  ].join('\n')
}

async function linesOf(db: Queries, grants: RoleGrants, schema: string): Promise<string[]> {
  const own = grants.prefix === null ? [] : await db.run(findOwnObjects, [grants.prefix])
  return [
    makeRoleLine(grants.role),
    `revoke all on all tables in schema ${schema} from ${grants.role}`,
    ...grantLines(grants, schema, own),
  ]
}

/** What the logins of the database may do. */
export const grantsCommands = {
  grants: {
    args: [],
    summary: 'prints the SQL that makes the roles of the web and the console in the database, with their rights',
    run: async ({ db }) => await grantsText(db),
  },
} as const satisfies Record<string, OperatorCommand>

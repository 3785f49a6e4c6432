import type pg from 'pg'
import type { Logger } from '../runtime/runtime.ts'
import { translateError } from './database-errors.ts'
import { CONSOLE, type RoleGrants, WEB } from './grants.ts'
import { clientConfigs, type DatabaseAddress } from './connection-settings.ts'
import { connectToPrimary } from './primary.ts'
import { type RowOf, sql, t } from './sql.ts'

// The roles of the database and their rights, as grants.ts lists them.

const NO_RIGHT = '42501'

/** The views and functions whose names begin with a role's prefix. */
export const findOwnObjects = sql({
  name: 'db.find-own-objects',
  text: `select 'view' as kind, c.oid::regclass::text as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('v', 'm') and starts_with(c.relname, $1)
    union all
    select 'function', p.oid::regprocedure::text from pg_proc p
      where p.pronamespace = current_schema()::regnamespace and starts_with(p.proname, $1)
    order by kind, name`,
  params: [t.text],
  row: { kind: t.oneOf(['view', 'function']), name: t.text },
})
type OwnObject = RowOf<typeof findOwnObjects>

/** Where rights are granted: names, quoted. */
export const findPlace = sql({
  name: 'db.find-place',
  text: `select quote_ident(current_database()) as database, quote_ident(current_schema()) as schema`,
  row: { database: t.text, schema: t.text },
})

/** Whether a login may do what the web process is kept from: then it is not only a member of `fairball_web`. */
export const findMayMore = sql({
  name: 'db.find-may-more',
  text: `select has_table_privilege('payouts', 'insert') or has_column_privilege('player_addresses', 'seal', 'update')
    or has_column_privilege('draws', 'seed_sealed', 'select') as may`,
  row: { may: t.bool },
})

/**
 * Creates the roles, which all databases of a cluster share, and grants their rights in this one, if necessary. If the
 * login may not, the log says what to do: one login for everything needs no role.
 *
 * @param client whose login owns the tables, and which alone does this in this database
 */
export async function grantRoles(client: pg.Client, log: Logger): Promise<void> {
  for (const grants of [WEB, CONSOLE])
    try {
      await makeRole(client, grants.role)
      const own = await ownObjects(client, grants)
      if ((await rightsOf(client, grants)).join('\n') !== wantedRights(grants, own).join('\n'))
        await grant(client, grants, own)
      await takeFromAll(client, grants.role)
    } catch (error) {
      if ((error as { code?: unknown }).code !== NO_RIGHT) throw error
      log.warn(
        { err: error },
        `this login of the database may not make or grant the role ${grants.role}: docs/operations.md, section 8, has the lines`,
      )
    }
}

/**
 * Creates a role that cannot log in, if missing: processes of several databases of one cluster may do so at the same
 * moment.
 */
export async function makeRole(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name])
  if (rowCount === 1) return
  await client.query(makeRoleLine(name))
}

/** The statement that creates a role that cannot log in, if missing. */
export function makeRoleLine(name: string): string {
  return `do $$ begin create role ${name} nologin; exception when duplicate_object or unique_violation then null; end $$`
}

/**
 * The statements that grant a role's rights.
 *
 * @param own what has the role's prefix
 */
export function grantLines(
  { role, tables, functions, sequences }: RoleGrants,
  schema: string,
  own: readonly OwnObject[],
) {
  return [
    `grant usage on schema ${schema} to ${role}`,
    ...Object.entries(tables).map(([table, grants]) => `grant ${grants.join(', ')} on ${table} to ${role}`),
    ...functions.map((name) => `grant execute on function ${name} to ${role}`),
    ...sequences.map((name) => `grant usage on sequence ${name} to ${role}`),
    ...own.flatMap(({ kind, name }) =>
      kind === 'view'
        ? [`grant select on ${name} to ${role}`]
        : [`revoke all on function ${name} from public`, `grant execute on function ${name} to ${role}`],
    ),
  ]
}

/** What PostgreSQL lets every login do and no process here needs: to create tables, including temporary ones. */
export function revokeLines({
  database,
  schema,
}: RowOf<typeof findPlace>): readonly [temporary: string, create: string] {
  return [`revoke temporary on database ${database} from public`, `revoke create on schema ${schema} from public`]
}

async function ownObjects(client: pg.Client, { prefix }: RoleGrants): Promise<OwnObject[]> {
  return prefix === null ? [] : (await client.query<OwnObject>(findOwnObjects.text, [prefix])).rows
}

/** The role's rights on tables and functions, one line each, sorted; and who else may call its own functions. */
async function rightsOf(client: pg.Client, { role, prefix }: RoleGrants): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `with granted as (
      select c.oid::regclass::text as name, lower(a.privilege_type) as what, null as col
      from pg_class c cross join aclexplode(c.relacl) a
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.grantee = $1::regrole
      union all
      select c.oid::regclass::text, lower(a.privilege_type), t.attname
      from pg_class c join pg_attribute t on t.attrelid = c.oid cross join aclexplode(t.attacl) a
      where c.relnamespace = current_schema()::regnamespace and a.grantee = $1::regrole
      union all
      select p.oid::regprocedure::text, lower(a.privilege_type), null
      from pg_proc p cross join aclexplode(p.proacl) a
      where p.pronamespace = current_schema()::regnamespace and a.grantee = $1::regrole
      union all
      select p.oid::regprocedure::text, 'execute by all', null
      from pg_proc p cross join aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where p.pronamespace = current_schema()::regnamespace and a.grantee = 0 and starts_with(p.proname, $2))
    select name || ' ' || what || coalesce(' ' || string_agg(col, ',' order by col collate "C"), '') as line
    from granted group by name, what`,
    [role, prefix],
  )
  return rows.map(({ line }) => line).toSorted()
}

function wantedRights({ tables, functions }: RoleGrants, own: readonly OwnObject[]): string[] {
  return [
    ...Object.entries(tables).flatMap(([table, grants]) => grants.map((text) => `${table} ${normal(text)}`)),
    ...functions.map((name) => `${name.replaceAll(' ', '')} execute`),
    ...own.map(({ kind, name }) => `${name} ${kind === 'view' ? 'select' : 'execute'}`),
  ].toSorted()
}

/** `insert (b, a)` as `insert a,b`. */
function normal(text: string): string {
  const [what = '', columns] = text.split(/ \(|\)/u)
  return columns === undefined ? what : `${what} ${columns.split(', ').toSorted().join(',')}`
}

async function grant(client: pg.Client, grants: RoleGrants, own: readonly OwnObject[]): Promise<void> {
  const names = [...new Set((await rightsOf(client, grants)).map((line) => line.split(' ')[0] ?? ''))]
  const [functions, tables] = [names.filter((name) => name.includes('(')), names.filter((name) => !name.includes('('))]
  const { rows } = await client.query<RowOf<typeof findPlace>>(findPlace.text)
  const lines = [
    ...(tables.length === 0 ? [] : [`revoke all on ${tables.join(', ')} from ${grants.role}`]),
    ...(functions.length === 0 ? [] : [`revoke all on function ${functions.join(', ')} from ${grants.role}`]),
    ...grantLines(grants, rows[0]?.schema ?? '', own),
  ]
  await client.query(['begin', ...lines, 'commit'].join(';\n')).catch(async (error: unknown) => {
    await client.query('rollback').catch(() => undefined) // the first error is more useful
    throw error
  })
}

async function takeFromAll(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<RowOf<typeof findPlace> & { temporary: boolean; creates: boolean }>(
    `select quote_ident(current_database()) as database, quote_ident(current_schema()) as schema,
      has_database_privilege($1, current_database(), 'temporary') as temporary,
      has_schema_privilege($1, current_schema(), 'create') as creates`,
    [role],
  )
  for (const { temporary, creates, ...place } of rows) {
    const [takeTemporary, takeCreate] = revokeLines(place)
    if (temporary) await client.query(takeTemporary)
    if (creates) await client.query(takeCreate)
  }
}

/**
 * Makes a login, or gives it another password: a role's member, or the role itself.
 *
 * @param name letters, digits and `_`
 * @param password letters and digits
 * @returns whether this login of the database may do that
 */
export async function makeLogin(
  address: DatabaseAddress,
  { name, role, password }: { readonly name: string; readonly role: string; readonly password: string },
): Promise<boolean> {
  const client = await connectToPrimary(clientConfigs({ address, applicationName: 'fairball start' }))
  try {
    await makeRole(client, name)
    if (name !== role) await client.query(`grant ${role} to ${name}`)
    await client.query(`alter role ${name} login password '${password}'`)
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === NO_RIGHT) return false
    throw translateError(error)
  } finally {
    await client.end().catch(() => undefined) // nothing is in progress
  }
}

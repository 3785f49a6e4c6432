import type pg from 'pg'
import type { RoleGrants } from './grants.ts'

/** A login may do more than its role's list in grants.ts. The message says what, and what to do. */
export class LoginMayMore extends Error {
  override readonly name = 'LoginMayMore'

  /** @param found what it may do beyond the list */
  constructor(role: string, login: string, found: readonly string[]) {
    const shown = found.slice(0, MOST_SHOWN).join(', ')
    const more = found.length > MOST_SHOWN ? ` and ${found.length - MOST_SHOWN} more` : ''
    super(
      `The login ${login} of the database may do more than ${role}: ${shown}${more}.\n` +
        `Give this process a login that is ${role} or only its member: npm run operator -- grants prints the lines.`,
    )
  }
}

const MOST_SHOWN = 8
const RIGHTS = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']
const COLUMN_RIGHTS = ['select', 'insert', 'update', 'references']

interface TableRight {
  readonly name: string
  readonly isView: boolean
  readonly right: string
  /** null for the right on every column */
  readonly column: string | null
}

/**
 * What the login of a connection may do that its role's list does not name: on tables, by their columns, on functions
 * that run with the rights of the owner, and by being a member of another role.
 *
 * @returns each as `update payouts`, `select draws (seed_sealed)`
 */
export async function tableExcess(
  client: pg.Client,
  { role, tables, functions, prefix }: RoleGrants,
): Promise<string[]> {
  const isOwn = (name: string): boolean => prefix !== null && name.startsWith(prefix)
  const isListed = ({ name, isView, right, column }: TableRight): boolean => {
    if (isView && isOwn(name)) return right === 'select'
    const listed = tables[name] ?? []
    if (listed.includes(right)) return true
    const [, columns = ''] = listed.map((text) => text.split(/ \(|\)/u)).find(([what]) => what === right) ?? []
    return column !== null && columns.split(', ').includes(column)
  }
  const known = new Set(functions.map((name) => name.replaceAll(' ', '')))
  const rights = await tableRights(client)
  return [
    ...(await otherRoles(client, role)).map((name) => `it is a member of ${name}`),
    ...rights
      .filter((one) => !isListed(one))
      .map(({ name, right, column }) => `${right} ${name}${column === null ? '' : ` (${column})`}`),
    ...(await ownersFunctions(client))
      .filter((name) => !known.has(name) && !isOwn(name))
      .map((name) => `execute ${name}`),
  ]
}

/** What the login of a connection may do with the database as a whole that no process here needs. */
export async function databaseExcess(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ what: string; may: boolean }>(
    `select what, may from pg_roles, current_schema() as here (schema), lateral (values
        ('it is a superuser', rolsuper), ('create roles', rolcreaterole), ('create databases', rolcreatedb),
        ('replicate', rolreplication), ('bypass row security', rolbypassrls),
        ('create schemas', has_database_privilege(current_database(), 'create')),
        ('create temporary tables', has_database_privilege(current_database(), 'temporary')),
        ('create tables', has_schema_privilege(here.schema, 'create'))) as rights (what, may)
      where rolname = current_user and may`,
  )
  return rows.map(({ what }) => what)
}

/** The name of a connection's login, and whether the tables are its own: then it may do everything. */
export async function loginOf(client: pg.Client): Promise<{ readonly login: string; readonly isOwner: boolean }> {
  const { rows } = await client.query<{ login: string; isOwner: boolean }>(
    `select current_user::text as login, coalesce(bool_or(pg_has_role(relowner, 'usage')), false) as "isOwner"
      from pg_class where oid = to_regclass('payouts')`,
  )
  return rows[0] ?? { login: '', isOwner: false }
}

async function tableRights(client: pg.Client): Promise<TableRight[]> {
  const { rows } = await client.query<TableRight>(
    `with relations as (
      select oid, relname::text as name, relkind in ('v', 'm') as "isView" from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
    )
    select name, "isView", "right", null as "column" from relations, unnest($1::text[]) as "right"
      where has_table_privilege(oid, "right")
    union all
    select name, "isView", "right", attname::text from relations
      join pg_attribute on attrelid = oid and attnum > 0 and not attisdropped, unnest($2::text[]) as "right"
      where not has_table_privilege(oid, "right") and has_column_privilege(oid, attnum, "right")
    order by 1, 3, 4`,
    [RIGHTS, COLUMN_RIGHTS],
  )
  return rows
}

/** The functions that run with their owner's rights and that the login may call. */
async function ownersFunctions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
      where pronamespace = current_schema()::regnamespace and prosecdef and prorettype <> 'trigger'::regtype
        and has_function_privilege(oid, 'execute')`,
  )
  return rows.map(({ name }) => name)
}

/** The roles that the login is a member of, beside its own. */
async function otherRoles(client: pg.Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select rolname::text as name from pg_roles
      where rolname <> current_user and rolname <> $1 and pg_has_role(current_user, oid, 'member')
        and not (select rolsuper from pg_roles where rolname = current_user)`,
    [role],
  )
  return rows.map(({ name }) => name)
}

import type pg from 'pg'
import { codecsOf, columnOf, type Statement } from './sql.ts'

/** What PostgreSQL says of a statement without running it. */
interface StatementDescription {
  paramOids: number[]
  columns: { name: string; oid: number }[]
}

interface DescribeFailure extends Error {
  code?: string
}

/** What a function without a value returns: `select pg_notify(…)`. */
const VOID = 2278

let counter = 0

/**
 * Prepares a statement on the migrated schema and compares PostgreSQL's description with its declaration.
 *
 * @returns one sentence for each difference; empty if they agree
 */
export async function differencesOf(client: pg.Client, statement: Statement): Promise<string[]> {
  const description = await describeStatement(client, statement.text).catch((error: unknown) => String(error))
  if (typeof description === 'string') return [`${statement.name} cannot be prepared: ${description}`]

  const differences: string[] = []
  const { paramOids, columns } = description
  const codecs = codecsOf(statement)
  if (paramOids.length !== codecs.length)
    differences.push(`${statement.name} declares ${codecs.length} parameters and has ${paramOids.length}`)
  for (const [index, codec] of codecs.entries())
    if (paramOids[index] !== undefined && paramOids[index] !== codec.oid)
      differences.push(`${statement.name}: $${index + 1} is declared ${codec.type} and is of type ${paramOids[index]}`)

  const declared = new Set<string>(statement.serves === 'each' ? ['place'] : [])
  for (const [key, codec] of Object.entries(statement.row)) {
    const name = columnOf(key)
    declared.add(name)
    const column = columns.find((one) => one.name === name)
    if (column === undefined) differences.push(`${statement.name} declares a column ${name} that it does not return`)
    else if (column.oid !== codec.oid)
      differences.push(`${statement.name}: column ${name} is declared ${codec.type} and is of type ${column.oid}`)
  }
  for (const { name, oid } of columns)
    if (!declared.has(name) && oid !== VOID)
      differences.push(`${statement.name} returns a column ${name} that it does not declare`)
  return differences
}

/** Parse and Describe of the wire protocol; works on every server version, unlike the view of prepared statements. */
function describeStatement(client: pg.Client, text: string): Promise<StatementDescription> {
  const name = `fairball_describe_${++counter}`
  return new Promise((resolve, reject) => {
    const description: StatementDescription = { paramOids: [], columns: [] }
    let failure: DescribeFailure | null = null
    const onParameters = (message: { dataTypeIDs: number[] }): void => {
      description.paramOids = message.dataTypeIDs
    }
    const query = {
      submit(connection: pg.Connection) {
        connection.once('parameterDescription', onParameters)
        connection.parse({ name, text, types: [] }, true)
        connection.describe({ type: 'S', name }, true)
        connection.sync()
      },
      handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }) {
        description.columns = message.fields.map((field) => ({ name: field.name, oid: field.dataTypeID }))
      },
      handleError(error: DescribeFailure) {
        failure = error
        finish()
      },
      handleReadyForQuery() {
        finish()
      },
    }
    const finish = (): void => {
      client.connection.off('parameterDescription', onParameters)
      if (failure === null) resolve(description)
      else reject(failure)
    }
    client.query(query)
  })
}

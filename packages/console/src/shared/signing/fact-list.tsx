import { isRecord } from '../api.ts'
import { btcText } from '../money.ts'
import { momentText } from '../moments.ts'
import { BATCH_STATE_TEXTS } from '../states.ts'
import styles from './signing.module.css'

/** The facts of a request as a list: what is signed besides the words. */
export function FactList({ facts }: { facts: Readonly<Record<string, unknown>> }) {
  const entries = inOrder(Object.entries(facts).filter(([name]) => !HIDDEN.has(name)))
  if (entries.length === 0) return <p className={styles['none']}>There is nothing more to it.</p>
  return (
    <dl className={styles['facts']}>
      {entries.map(([name, value]) => (
        <div key={name} className={styles['fact']}>
          <dt>{labelOf(name)}</dt>
          <dd>
            <Value name={name} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What people look for first; a database returns facts in an order of its own. */
const ORDER = ['batch', 'state', 'why', 'payout', 'payee', 'player', 'partner', 'address', 'sats', 'draws']

function inOrder(entries: readonly [string, unknown][]): readonly [string, unknown][] {
  const placeOf = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  return entries.toSorted(([one], [other]) => placeOf(one) - placeOf(other))
}

/** Facts that only decide how many have to sign. */
const HIDDEN = new Set(['is_two_person'])

function Value({ name, value }: { name: string; value: unknown }) {
  if (Array.isArray(value)) return <Items name={name} values={value} />
  if (isRecord(value)) return <FactList facts={value} />
  return valueText(name, value)
}

function Items({ name, values }: { name: string; values: readonly unknown[] }) {
  if (values.length === 0) return 'none'
  if (!values.some((value) => isRecord(value))) return values.map((value) => valueText(name, value)).join(', ')
  return (
    <ul className={styles['items']}>
      {values.map((value, index) => (
        // The facts of a request never change their order.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className={styles['item']}>
          <Value name={name} value={value} />
        </li>
      ))}
    </ul>
  )
}

function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (name === 'state' && typeof value === 'string') return BATCH_STATES.get(value) ?? value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (/(?:^|_)sats$/u.test(name) && typeof value === 'string') return btcText(value)
  if (/(?:^|_)(?:at|since|until|from)$/u.test(name) && typeof value === 'number')
    return `${momentText(value, value)} UTC`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const BATCH_STATES: ReadonlyMap<string, string> = new Map(
  Object.entries(BATCH_STATE_TEXTS).map(([state, { text }]) => [state, text]),
)

const LABELS: Readonly<Record<string, string>> = {
  sats: 'Amount',
  why: 'Why',
  txids: 'Transactions',
  may_be_payout: 'May be payouts of ours',
  partner: 'Partner charity',
}

function labelOf(name: string): string {
  const words = name.replace(/_(?:sats|at)$/u, '').replaceAll('_', ' ')
  return LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

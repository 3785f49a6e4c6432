import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { usePlace } from '../../shared/navigation.tsx'
import { paths } from '../../shared/paths.ts'
import { Part, Screen } from '../../shared/screen.tsx'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'

type Found = AnswerOf<'search'>['results'][number]

const KINDS: Readonly<Record<Found['kind'], string>> = {
  player: 'Player',
  order: 'Order',
  play: 'Play',
  payout: 'Payout',
  draw: 'Draw',
  transaction: 'Transaction',
  address: 'Address',
}

const COLUMNS: readonly Column<Found>[] = [
  { key: 'label', heading: 'Found', cell: ({ label }) => label, sort: ({ label }) => label },
  { key: 'kind', heading: 'What', cell: ({ kind }) => KINDS[kind], sort: ({ kind }) => KINDS[kind] },
  { key: 'at', heading: 'When', cell: ({ at }) => <Moment at={at} />, sort: ({ at }) => at },
]

/** The page of what was found; null where it has none. */
function pageOf({ kind, id }: Found): string | null {
  if (id === null) return null
  switch (kind) {
    case 'player':
      return paths.player(id)
    case 'order':
    case 'play':
    case 'transaction':
    case 'address':
      return paths.order(id)
    case 'payout':
      return paths.payout(id)
    case 'draw': {
      const [game = '', number = ''] = id.split('/')
      return paths.draw(game, number)
    }
  }
}

/** What a search has found: at most fifty things. */
export function SearchScreen() {
  const { query } = usePlace()
  const q = (query['q'] ?? '').trim()
  return (
    <Screen
      title={q === '' ? 'Search' : `Search: ${q}`}
      lead="An email address, a username, an order, a play, an address, a transaction, a batch as #5, or a draw as its game’s key and number."
    >
      {q !== '' && <Results key={q} q={q} />}
    </Screen>
  )
}

function Results({ q }: { q: string }) {
  const found = useRead('search', { query: { q } })
  return (
    <Part title="Found">
      <Loaded of={found}>
        {({ results }) => (
          <ConsoleTable
            caption="Found"
            columns={COLUMNS}
            rows={results}
            rowKey={({ kind, id, label }) => `${kind} ${id} ${label}`}
            hrefOf={pageOf}
            empty="Nothing was found. Check the spelling, or search for another part of it."
          />
        )}
      </Loaded>
    </Part>
  )
}

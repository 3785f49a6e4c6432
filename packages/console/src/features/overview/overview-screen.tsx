import { Banner } from '@fairball/ui/banner.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Amount } from '../../shared/amount.tsx'
import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { CheckList } from '../../shared/check-list.tsx'
import { Details } from '../../shared/details.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { satsOf } from '../../shared/money.ts'
import { paths } from '../../shared/paths.ts'
import { Columns, Part, Screen } from '../../shared/screen.tsx'
import { State } from '../../shared/state.tsx'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'
import { Alarms } from './alarms.tsx'

type Overview = AnswerOf<'getOverview'>
type Draw = Overview['draws'][number]
type Need = Overview['bankroll'][number]

/** What an operator looks at first: alarms, waiting requests, today, the next draws, the bankroll, the checks. */
export function OverviewScreen() {
  const overview = useRead('getOverview', {}, { isRenewed: true })
  return (
    <Screen title="Overview">
      <Loaded of={overview} rows={8}>
        {(answer) => <Content overview={answer} />}
      </Loaded>
    </Screen>
  )
}

function Content({ overview }: { overview: Overview }) {
  const { alarms, waiting, today, paused, draws, bankroll, checks } = overview
  // A check that is an alarm is said above.
  const others = checks.filter(({ state }) => state !== 'ok' && state !== 'fail')
  return (
    <>
      {waiting > 0 && (
        <Banner
          kind="info"
          action={
            <LinkButton size="small" href={paths.inbox}>
              Go to the inbox
            </LinkButton>
          }
        >
          {waiting === 1 ? 'One request waits' : `${waiting} requests wait`} for your signature.
        </Banner>
      )}
      {paused.map(({ game, game_name, note, since }) => (
        <Banner key={game} kind="warning">
          Sales of {game_name} are paused since <Moment at={since} />: {note}
        </Banner>
      ))}
      <Alarms alarms={alarms} />
      {others.length > 0 && (
        <Part title="Before everything is green">
          <CheckList checks={others} />
        </Part>
      )}
      <Columns>
        <Part title="Today">
          <Details
            items={[
              { term: 'Paid orders', value: today.orders.toLocaleString('en-GB') },
              { term: 'Sales', value: <Amount sats={today.sales_sats} /> },
              { term: 'Refunds', value: <Amount sats={today.refunds_sats} /> },
              { term: 'Payouts', value: <Amount sats={today.payouts_sats} /> },
            ]}
          />
        </Part>
        <Part title="Bankroll">
          <ConsoleTable
            name="bankroll"
            caption="Bankroll wanted and free, by game"
            columns={NEEDS}
            rows={bankroll}
            rowKey={({ game }) => game}
            hrefOf={({ game }) => paths.game(game)}
            empty="No game needs a bankroll."
          />
        </Part>
      </Columns>
      <Part title="Next draws">
        <ConsoleTable
          name="draws"
          caption="Next draws"
          columns={DRAWS}
          rows={draws}
          rowKey={({ game, number }) => `${game} ${number}`}
          hrefOf={({ game, number }) => paths.draw(game, number)}
          empty="No draw is open."
        />
      </Part>
    </>
  )
}

const DRAWS: readonly Column<Draw>[] = [
  {
    key: 'draw',
    heading: 'Draw',
    cell: ({ game_name, number }) => `${game_name} ${number}`,
    sort: ({ game_name }) => game_name,
  },
  { key: 'state', heading: 'State', cell: ({ state }) => state, sort: ({ state }) => state },
  {
    key: 'closes',
    heading: 'Sales close',
    cell: ({ closes_at }) => <Moment at={closes_at} />,
    sort: ({ closes_at }) => closes_at,
  },
  {
    key: 'starts',
    heading: 'Draw starts',
    cell: ({ starts_at }) => <Moment at={starts_at} />,
    sort: ({ starts_at }) => starts_at,
  },
  {
    key: 'entries',
    heading: 'Entries',
    cell: ({ entries }) => entries.toLocaleString('en-GB'),
    sort: ({ entries }) => entries,
    align: 'end',
  },
  {
    key: 'stake',
    heading: 'Stake',
    cell: ({ stake_sats }) => <Amount sats={stake_sats} />,
    sort: ({ stake_sats }) => satsOf(stake_sats),
    align: 'end',
  },
]

const NEEDS: readonly Column<Need>[] = [
  { key: 'game', heading: 'Game', cell: ({ game_name }) => game_name, sort: ({ game_name }) => game_name },
  { key: 'wanted', heading: 'Wanted', cell: ({ wanted_sats }) => <Amount sats={wanted_sats} />, align: 'end' },
  { key: 'free', heading: 'Free', cell: (need) => <Free need={need} />, align: 'end' },
]

function Free({ need }: { need: Need }) {
  if (satsOf(need.free_sats) >= satsOf(need.wanted_sats)) return <Amount sats={need.free_sats} />
  return (
    <>
      <State mood="bad">Too little</State> <Amount sats={need.free_sats} />
    </>
  )
}

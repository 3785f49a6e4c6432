import { Banner } from '@fairball/ui/banner.tsx'
import { Amount } from '../../shared/amount.tsx'
import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Details } from '../../shared/details.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { Columns, Part, Screen } from '../../shared/screen.tsx'
import { PlayerActions } from './player-actions.tsx'
import { PlayerHistory } from './player-history.tsx'
import { PlayerLists } from './player-lists.tsx'

/** A player as staff see one. */
export type Player = AnswerOf<'getPlayer'>

/** One player: who it is, what limits them, what they did, and what staff may do. */
export function PlayerScreen({ id }: { id: string }) {
  const player = useRead('getPlayer', { params: { id } })
  return (
    <Loaded of={player} rows={8}>
      {(answer) => <Content player={answer} />}
    </Loaded>
  )
}

function Content({ player }: { player: Player }) {
  return (
    <Screen title={player.username} lead={player.email} actions={<PlayerActions player={player} />}>
      {player.holds.map(({ kind, until_at, reason, from_at }) => (
        <Banner key={`${kind} ${from_at}`} kind="warning">
          {HOLDS[kind] ?? kind}{' '}
          {until_at === null ? (
            'without an end'
          ) : (
            <>
              until <Moment at={until_at} />
            </>
          )}
          : {reason}
        </Banner>
      ))}
      <Columns>
        <Part title="The account">
          <Profile player={player} />
        </Part>
        <PlayerLists player={player} />
      </Columns>
      <PlayerHistory player={player} />
    </Screen>
  )
}

const HOLDS: Readonly<Record<string, string>> = {
  buy: 'Blocked from buying',
  'sign-in': 'Blocked from logging in and buying',
  payouts: 'Payouts are on hold',
}

function Profile({ player }: { player: Player }) {
  const { id, state, created_at, last_seen_at, currency, is_email_verified, has_two_factor, owed_sats } = player
  return (
    <Details
      items={[
        { term: 'Id', value: id },
        { term: 'State', value: state },
        { term: 'Email', value: is_email_verified ? 'verified' : 'not verified' },
        { term: 'Second factor', value: has_two_factor ? 'on' : 'off' },
        { term: 'Since', value: <Moment at={created_at} /> },
        { term: 'Last seen', value: <Moment at={last_seen_at} /> },
        { term: 'Currency', value: currency },
        { term: 'Owed', value: <Amount sats={owed_sats} /> },
      ]}
    />
  )
}

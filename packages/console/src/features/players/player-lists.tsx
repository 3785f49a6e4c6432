import { Mono } from '@fairball/ui/mono.tsx'
import { Details } from '../../shared/details.tsx'
import { Moment } from '../../shared/moment.tsx'
import { Nothing, Part } from '../../shared/screen.tsx'
import type { Player } from './player-screen.tsx'
import styles from './players.module.css'

/** What limits a player, from where they log in, and where they are paid. */
export function PlayerLists({ player }: { player: Player }) {
  const { limits, exclusions, sessions, addresses } = player
  return (
    <>
      <Part title="Limits and exclusions">
        {limits.length === 0 && exclusions.length === 0 && <Nothing>There are none.</Nothing>}
        <Details
          items={[
            ...limits.map(({ name, value, coming, from_at }) => ({
              term: name,
              value:
                coming === null ? (
                  value
                ) : (
                  <>
                    {value}, from <Moment at={from_at} /> {coming}
                  </>
                ),
            })),
            ...exclusions.map(({ from_at, until_at, by }) => ({
              term: `Excluded by ${by}`,
              value: (
                <>
                  <Moment at={from_at} /> to {until_at === null ? 'no end' : <Moment at={until_at} />}
                </>
              ),
            })),
          ]}
        />
      </Part>
      <Part title="Payout addresses">
        {addresses.length === 0 && <Nothing>The player has saved none.</Nothing>}
        <ul className={styles['list']}>
          {addresses.map(({ address, since, usable_from, superseded_at }) => (
            <li key={`${address} ${since}`} data-past={superseded_at !== null || undefined}>
              <Mono text={address} />
              <span className={styles['note']}>
                since <Moment at={since} />
                {superseded_at !== null && (
                  <>
                    , replaced <Moment at={superseded_at} />
                  </>
                )}
                {superseded_at === null && usable_from !== null && (
                  <>
                    , paid from <Moment at={usable_from} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Sessions">
        {sessions.length === 0 && <Nothing>The player is logged in nowhere.</Nothing>}
        <ul className={styles['list']}>
          {sessions.map(({ id, device, created_at, seen_at }) => (
            <li key={id}>
              {device}
              <span className={styles['note']}>
                since <Moment at={created_at} />, last seen <Moment at={seen_at} />
              </span>
            </li>
          ))}
        </ul>
      </Part>
    </>
  )
}

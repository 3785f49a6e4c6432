import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { firstStartOf } from '@fairball/domain/calendar'
import { changeSentences } from '@fairball/domain/change-sentences'
import { rulesFromJson } from '@fairball/domain/game-json'
import type { GameVersion } from '@fairball/contract/schemas/game'
import { useApi } from '../../../shared/api.ts'
import { retiredGamesQuery, useGameVersions } from '../../../shared/data/game-versions.ts'
import { useGames } from '../../../shared/data/games.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Card } from '@fairball/ui/card.tsx'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { FAIRNESS_TEXTS } from '../messages.ts'
import styles from './games-card.module.css'

/** Every game, with all announced versions of its rules; the games that have ended come last. */
export default function GamesCard() {
  const { data: games = [] } = useGames()
  const { data: ended = [] } = useQuery(retiredGamesQuery(useApi()))
  const offered = new Set(games.map(({ key }) => key))
  return (
    <Card id="games" title={FAIRNESS_TEXTS.games} lead={FAIRNESS_TEXTS.gamesLead}>
      {games.map(({ key, name }) => (
        <Game key={key} gameKey={key} name={name} />
      ))}
      {ended
        .filter(({ key }) => !offered.has(key))
        .map(({ key, name }) => (
          <Game key={key} gameKey={key} name={name} isEnded />
        ))}
    </Card>
  )
}

function Game({ gameKey, name, isEnded = false }: { gameKey: string; name: string; isEnded?: boolean }) {
  const [wasOpened, setOpened] = useState(false)
  return (
    <Disclosure
      title={name}
      level={3}
      aside={isEnded && <Tag kind="neutral">{FAIRNESS_TEXTS.ended}</Tag>}
      onToggle={() => setOpened(true)}
    >
      {wasOpened && <Versions gameKey={gameKey} />}
    </Disclosure>
  )
}

function Versions({ gameKey }: { gameKey: string }) {
  const versions = useGameVersions(gameKey)
  if (versions.isPending) return <SkeletonRows rows={2} />
  if (versions.isError) return <LoadFailed onRetry={() => void versions.refetch()} />
  return (
    <ol className={styles['versions']} reversed>
      {versions.data.map((version, index) => (
        <Version key={version.version} version={version} before={versions.data[index + 1] ?? null} />
      ))}
    </ol>
  )
}

function Version({ version, before }: { version: GameVersion; before: GameVersion | null }) {
  const { dateTime } = usePlayerView()
  return (
    <li className={styles['version']}>
      <p>
        <strong>{FAIRNESS_TEXTS.version(version.version)}</strong> {whatOf(version, before, dateTime)}
      </p>
      <ul>
        {sentencesOf(version, before).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {version.statement !== null && (
        <p>
          {FAIRNESS_TEXTS.announcedAt(dateTime(version.announced_at))} <Mono text={version.statement} />
        </p>
      )}
    </li>
  )
}

function whatOf(
  { version, kinds, from_draw: draw, from_at: fromAt, rules }: GameVersion,
  before: GameVersion | null,
  dateTime: (at: number) => string,
): string {
  if (kinds.includes('retire')) return FAIRNESS_TEXTS.versionEnds(dateTime(fromAt - 1))
  if (draw === null) return FAIRNESS_TEXTS.versionTakenBack
  if (before === null) return FAIRNESS_TEXTS.versionFirst(draw)
  const startAt = firstStartOf({ ...rulesFromJson(rules), version, fromAt }) ?? fromAt
  return FAIRNESS_TEXTS.versionFrom(draw, dateTime(startAt))
}

/** What a version changes; of the first one, its price and its numbers. */
function sentencesOf({ kinds, rules }: GameVersion, before: GameVersion | null): string[] {
  if (kinds.includes('retire')) return []
  if (before === null) return FAIRNESS_TEXTS.firstRules(rules)
  return changeSentences(rulesFromJson(before.rules), rulesFromJson(rules))
}

import { firstStartOf } from '@fairball/domain/calendar'
import { changeSentences } from '@fairball/domain/change-sentences'
import { rulesFromJson } from '@fairball/domain/game-json'
import type { GameChange } from '@fairball/contract/schemas/game'
import { Banner } from '@fairball/ui/banner.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { useGameVersions } from './data/game-versions.ts'
import { paths } from './paths.ts'
import { usePlayerView } from './player-view.ts'
import styles from './coming-change-notice.module.css'

const TEXTS = {
  ends: (game: string) => `${game} comes to an end.`,
  last: (draw: number, moment: string) =>
    `Draw ${draw} is its last: none starts after ${moment}. Free tickets that are left then are paid out.`,
  changes: (game: string, draw: number, date: string) => `${game} changes from draw ${draw}, ${date}.`,
  before: 'Draws before it keep their price and prizes.',
  announced: 'Announced in the public record:',
  all: 'All rules and their versions',
}

/** What changes, from which draw, and the statement that announced it. */
export default function ComingChangeNotice({
  gameKey,
  name,
  change,
}: {
  gameKey: string
  name: string
  change: GameChange
}) {
  const { shortDate, dateTime } = usePlayerView()
  const { data: versions = [] } = useGameVersions(gameKey)
  const isEnd = change.kinds.includes('retire')
  const after = versions.find(({ version }) => version === change.version)
  const before = versions.find(({ version }) => version < change.version)
  if (after === undefined || before === undefined) return null
  const rules = rulesFromJson(after.rules)
  const startAt = firstStartOf({ ...rules, version: after.version, fromAt: after.from_at }) ?? after.from_at
  const sentences = isEnd ? [] : changeSentences(rulesFromJson(before.rules), rules)
  return (
    <Banner kind="info">
      <div className={styles['notice']}>
        <p>
          <strong>{isEnd ? TEXTS.ends(name) : TEXTS.changes(name, change.from_draw, shortDate(startAt))}</strong>{' '}
          {isEnd ? TEXTS.last(change.from_draw - 1, dateTime(change.from_at - 1)) : TEXTS.before}
        </p>
        {sentences.length > 0 && (
          <ul className={styles['sentences']}>
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        <p className={styles['source']}>
          {change.statement !== null && (
            <>
              {TEXTS.announced} <Mono text={change.statement} />{' '}
            </>
          )}
          <Link href={`${paths.fairness()}#games`}>{TEXTS.all}</Link>
        </p>
      </div>
    </Banner>
  )
}

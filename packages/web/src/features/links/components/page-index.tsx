import { useState } from 'react'
import type { Game } from '../../../shared/data/games.ts'
import { Card } from '@fairball/ui/card.tsx'
import { FilterChips } from '@fairball/ui/chips.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { LINKS_TEXTS } from '../messages.ts'
import { pageGroups } from '../pages.ts'
import type { PageLink } from '../pages.ts'
import styles from './page-index.module.css'

/** Every page of this version, by audience; chips choose the game for the pages of games. */
export function PageIndex({ games }: { games: readonly Game[] }) {
  const [gameKey, setGameKey] = useState(games[0]?.key ?? '')
  const game = games.find(({ key }) => key === gameKey)
  const groups = pageGroups(gameKey, (game?.next_draw.number ?? 1) - 1)
  return (
    <Card title={LINKS_TEXTS.pages}>
      <FilterChips
        label={LINKS_TEXTS.gameOfPages}
        options={games.map(({ key, name }) => ({ value: key, label: name }))}
        chosen={gameKey}
        onChange={setGameKey}
      />
      <div className={styles['groups']}>
        <Group title={LINKS_TEXTS.groups.anyone} pages={groups.anyone} />
        <Group title={LINKS_TEXTS.groups.loggedOut} pages={groups.loggedOut} />
        <Group title={LINKS_TEXTS.groups.loggedIn} pages={groups.loggedIn} />
        <Group title={LINKS_TEXTS.groups.server} pages={groups.server} />
      </div>
    </Card>
  )
}

function Group({ title, pages }: { title: string; pages: readonly PageLink[] }) {
  return (
    <section className={styles['group']}>
      <h3>{title}</h3>
      <ul className={styles['links']}>
        {pages.map(({ name, href }) => (
          <li key={name} className={styles['page']}>
            {href === null ? (
              <span>
                {name} <span className={styles['note']}>({LINKS_TEXTS.needsKey})</span>
              </span>
            ) : (
              <Link href={href}>{name}</Link>
            )}
            {href !== null && <code className={styles['path']}>{href}</code>}
          </li>
        ))}
      </ul>
    </section>
  )
}

import { Outlet, Scripts, useMatches } from '@tanstack/react-router'
import { useConfig } from '../config.ts'
import { useGames } from '../data/games.ts'
import { BottomBar } from './bottom-bar.tsx'
import { Footer } from './footer.tsx'
import { SessionMoves } from './session-moves.tsx'
import { TestModeStrip } from './test-mode-strip.tsx'
import { TopBar } from './top-bar.tsx'
import styles from './document.module.css'

const DESCRIPTION = 'A provably fair lottery paid in bitcoin. Pick your numbers, watch the draw, check it yourself.'

/**
 * The whole HTML document. Styles, fonts and the entry script are put into its head by the server (entry-server.tsx), which knows the built
 * files; React leaves in place what it does not know there.
 */
export function Document() {
  const { network } = useConfig()
  return (
    // A script in the head marks the document of a signed-in visitor before the first paint.
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbf7ef" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#120d20" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <meta name="description" content={DESCRIPTION} />
        <title>{usePageTitle()}</title>
      </head>
      <body className={styles['body']}>
        <a className={styles['skip']} href="#main">
          Skip to the content
        </a>
        {network !== 'mainnet' && <TestModeStrip />}
        <TopBar />
        <main id="main" tabIndex={-1} className={styles['main']}>
          <Outlet />
        </main>
        <Footer />
        <BottomBar />
        <SessionMoves />
        {/* The router's state, which only the server writes: the condition keeps the code for it out of the browser. */}
        {import.meta.env.SSR && <Scripts />}
      </body>
    </html>
  )
}

/** The innermost page that has a title gives it. */
function usePageTitle(): string {
  const matches = useMatches()
  const { data: games = [] } = useGames()
  const nameOf = (gameKey: string) => games.find((game) => game.key === gameKey)?.name ?? 'Game'
  const page = matches.findLast((match) => match.staticData.title !== undefined)
  const isMissing = matches.some((match) => match.status === 'notFound' || match._notFound === true)
  const title = isMissing ? 'Page not found' : page?.staticData.title?.(page.params, nameOf)
  return title === undefined ? 'Fairball' : `${title} – Fairball`
}

import { HeadContent, Outlet, Scripts } from '@tanstack/react-router'
import { useConfig } from '../config.ts'
import { BottomBar } from './bottom-bar.tsx'
import { Footer } from './footer.tsx'
import { SessionMoves } from './session-moves.tsx'
import { TestModeStrip } from './test-mode-strip.tsx'
import { TopBar } from './top-bar.tsx'
import styles from './document.module.css'

/**
 * The whole HTML document. Styles, fonts and the entry script are put into its head by the server (render-page.ts), which knows the built
 * files; React leaves in place what it does not know there.
 */
export function Document() {
  const { testMode } = useConfig()
  return (
    // A script in the head marks the document of a signed-in visitor before the first paint.
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbf7ef" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#120d20" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <HeadContent />
      </head>
      <body className={styles['body']}>
        <a className={styles['skip']} href="#main">
          Skip to the content
        </a>
        {testMode && <TestModeStrip />}
        <TopBar />
        <main id="main" tabIndex={-1} className={styles['main']}>
          <Outlet />
        </main>
        <Footer />
        <BottomBar />
        <SessionMoves />
        <Scripts />
      </body>
    </html>
  )
}

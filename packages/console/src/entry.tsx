import '@fairball/ui/tokens.css'
import '@fairball/ui/base.css'
import '@fairball/ui/fonts.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { showTheme } from './shared/theme.ts'
import { createApi } from './shared/api.ts'
import { createPasskeys } from './shared/passkeys/passkeys.ts'
import { runtime } from './shared/runtime.ts'

showTheme()
const place = document.querySelector('#console')
if (place === null) throw new Error('The page has no place for the console.')
createRoot(place).render(
  <StrictMode>
    <App api={createApi(runtime)} passkeys={createPasskeys()} timers={runtime} />
  </StrictMode>,
)

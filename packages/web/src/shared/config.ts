import { createContext, useContext } from 'react'
import type { PublicContent, WebConfig } from '@fairball/contract/pages'

/** Carries the configuration to the components. */
export const ConfigContext = createContext<WebConfig | null>(null)

/** @returns the server's configuration. @throws Error outside of the app */
export function useConfig(): WebConfig {
  const config = useContext(ConfigContext)
  if (config === null) throw new Error('There is no configuration above this component.')
  return config
}

/** @returns the operator's description of itself */
export function useContent(): PublicContent {
  return useConfig().content
}

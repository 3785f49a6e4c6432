import { accountRoutes } from './account-routes.tsx'
import { gameRoutes } from './game-routes.tsx'
import { publicRoutes } from './public-routes.tsx'
import { rootRoute } from './root-route.tsx'
import { settingsRoutes } from './settings-routes.tsx'

/** Every page of the site. */
export const routeTree = rootRoute.addChildren([...publicRoutes, gameRoutes, ...accountRoutes, settingsRoutes])

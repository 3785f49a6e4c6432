import type { FastifyInstance } from 'fastify'

/** `METHOD /path/{parameter}` of each route, without HEAD. */
export function registeredRoutes(app: FastifyInstance): string[] {
  const printed = app.printRoutes({ commonPrefix: false })
  const routes: string[] = []
  const parts: string[] = []
  for (const line of printed.split('\n')) {
    const match = /^((?:│ {3}| {4})*)(?:├── |└── )(.*?)(?: \(([A-Z, ]+)\))?$/.exec(line)
    if (match === null) continue
    const [, indent = '', part = '', methods = ''] = match
    const depth = indent.length / 4
    parts.length = depth
    parts[depth] = part
    const path = parts.join('').replaceAll(/:(\w+)/g, '{$1}')
    for (const method of methods.split(', ').filter((one) => one !== '' && one !== 'HEAD'))
      routes.push(`${method} ${path}`)
  }
  return routes
}

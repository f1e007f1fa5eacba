export function openApi(url: string): Record<string, unknown> {
  return { openapi: '3.1.0', servers: [{ url }] }
}

/** What tunnels write when they start, their URL in the middle; hosts and ids are invented. */

const LINE = '-'.repeat(92)

export const CLOUDFLARED = `2026-11-11T19:57:55Z INF Thank you for trying Cloudflare Tunnel. Doing so, without a Cloudflare account, is a quick way to experiment and try it out. However, be aware that these account-less Tunnels have no uptime guarantee, are subject to the Cloudflare Online Services Terms of Use (https://www.cloudflare.com/website-terms/), and Cloudflare reserves the right to investigate your use of Tunnels for violations of such terms. If you intend to use Tunnels in production you should use a pre-created named tunnel by following: https://developers.cloudflare.com/cloudflare-one/connections/connect-apps
2026-11-11T19:57:55Z INF Requesting new quick Tunnel on trycloudflare.com...
2026-11-11T19:57:58Z INF +${LINE}+
2026-11-11T19:57:58Z INF |  Your quick Tunnel has been created! Visit it at (it may take some time to be reachable):  |
2026-11-11T19:57:58Z INF |  https://four-dashed-word-url.trycloudflare.com                                            |
2026-11-11T19:57:58Z INF +${LINE}+
2026-11-11T19:57:58Z INF Cannot determine default configuration path. No file [config.yml config.yaml] in [~/.cloudflared]
2026-11-11T19:57:58Z INF Settings: map[ha-connections:1 protocol:quic url:http://127.0.0.1:4242]
2026-11-11T19:57:59Z INF Registered tunnel connection connIndex=0 location=gru01 protocol=quic
`

export const NGROK_JSON = `{"lvl":"info","msg":"no configuration paths supplied","t":"2026-11-11T16:57:55-03:00"}
{"addr":"127.0.0.1:4040","lvl":"info","msg":"starting web service","obj":"web"}
{"lvl":"info","msg":"update available","url":"https://ngrok.com/download"}
{"addr":"http://localhost:4242","lvl":"info","msg":"started tunnel","name":"command_line","url":"https://a1b2.ngrok-free.app"}
`

export const LOCALHOST_RUN = `===============================================================================
Welcome to localhost.run!

Follow your favourite reverse tunnel at [https://twitter.com/localhost_run].

To set up and manage custom domains go to https://admin.localhost.run/

More details on custom domains (and how to enable subdomains of your custom
domain) at https://localhost.run/docs/custom-domains

To explore using localhost.run visit the documentation site:
https://localhost.run/docs/

===============================================================================


** your connection id is 61516456-2da3-4b57-b3cb-b7f41fe51fea, please mention it if you send me a message about an issue. **

47970a65005227.lhr.life tunneled with tls termination, https://47970a65005227.lhr.life
`

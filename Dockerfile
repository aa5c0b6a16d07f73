# The daemon alone: Redis and PostgreSQL are reached by REDIS_URL and DATABASE_URL.
# A release names NODE_IMAGE by digest: npm run release:image.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# With the optional packages: the program that builds the page is one of them.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build

# Optional packages are the embedded PostgreSQL's programs and a native speed-up nobody needs here.
FROM ${NODE_IMAGE} AS packages
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund \
 && npm sbom --package-lock-only --sbom-format=cyclonedx --sbom-type=application --omit=dev --omit=optional > sbom.cdx.json

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title=twapd \
      org.opencontainers.image.description="TWAP execution daemon for crypto options, perpetuals, dated futures and spot" \
      org.opencontainers.image.version=1.0.0 \
      org.opencontainers.image.licenses=Apache-2.0
ENV NODE_ENV=production \
    TWAPD_CONFIG=/app/config/compose.yaml \
    TWAPD_DATA_DIR=/data \
    TWAPD_HOST=0.0.0.0 \
    TWAPD_PORT=8080
WORKDIR /app
COPY --from=packages /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY --from=packages /build/sbom.cdx.json ./
COPY package.json LICENSE ./
COPY config ./config
COPY strategies ./strategies
# All the daemon ever writes is below /data, so that the rest may be mounted read-only.
RUN install -d -o 1000 -g 1000 -m 0755 /data \
 && chmod 0755 dist/main/cli.js \
 && ln -s /app/dist/main/cli.js /usr/local/bin/twapd
USER 1000:1000
VOLUME ["/data"]
EXPOSE 8080
STOPSIGNAL SIGTERM
# Over TLS too, whatever the certificate: it is this container's own port.
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "const ask = (scheme) => require(scheme).get({ host: '127.0.0.1', port: process.env.TWAPD_PORT, path: '/healthz', rejectUnauthorized: false }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)); ask('http').on('error', () => ask('https').on('error', () => process.exit(1)))"]
ENTRYPOINT ["node", "--disable-proto=delete", "--min-semi-space-size=16", "--max-semi-space-size=16", "--v8-pool-size=2", "dist/main/cli.js"]
CMD ["start"]

# The sandbox as a service: docker build -t pixgate . && docker run -p 4010:4010 pixgate
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts && npm run build && npm pack

FROM node:24-slim
COPY --from=build /build/pixgate-*.tgz /tmp/
RUN npm install -g --ignore-scripts /tmp/pixgate-*.tgz && rm /tmp/pixgate-*.tgz
USER node
EXPOSE 4010
ENTRYPOINT ["pixgate"]
CMD ["sandbox", "--host", "0.0.0.0"]

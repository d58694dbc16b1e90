# Capscope behind a proxy: docs/deploy.md. Without models: --build-arg REQUIREMENTS=requirements-rating.txt
FROM python:3.11-slim-bookworm
ARG REQUIREMENTS=requirements.txt
ENV PYTHONUNBUFFERED=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN useradd --uid 1000 --create-home capscope && install --directory --owner=1000 --group=1000 --mode=700 /data
WORKDIR /app
COPY install.py requirements-rating.txt requirements.txt requirements-cpu.txt requirements.lock ./
RUN if [ "$REQUIREMENTS" = requirements.txt ]; then \
        pip install --require-hashes --no-deps -r requirements-cpu.txt \
            --index-url https://download.pytorch.org/whl/cpu; \
    fi \
    && python install.py "$REQUIREMENTS" \
    && pip cache purge
COPY app.py ./
COPY core ./core
COPY storage ./storage
COPY ui ./ui
COPY assets ./assets
USER 1000
ENV CAPSCOPE_DATA=/data CAPSCOPE_HOST=0.0.0.0 CAPSCOPE_PORT=7860
VOLUME /data
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:7860/healthz', timeout=4)"]
CMD ["python", "app.py"]

"""The domain of Capscope: captions, metrics, ratings. Knows neither the pages nor the database."""

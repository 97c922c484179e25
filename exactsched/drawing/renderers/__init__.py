"""Three renderers that know only scenes: SVG, pages of HTML, traces for Perfetto."""

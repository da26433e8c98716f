"""How a fitted map looks in a notebook: scikit-learn's diagram of the parameters, and what came out below it."""
from html import escape

_ROWS = 5  # eigenpairs beyond the first; the rest is in the arrays


class HtmlOfFit:
    """Adds a table to the HTML of scikit-learn's estimators, in every version of it and as its configuration says."""

    def _repr_html_inner(self):
        return super()._repr_html_inner() + table_of(self)

    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:  # not with sklearn.set_config(display="text")
            bundle["text/html"] = self._repr_html_inner()
        return bundle


def table_of(model):
    """Points, scale, engine, leading eigenpairs and warnings of a fitted model; nothing before it is fitted."""
    if not hasattr(model, "spectrum_"):
        return ""
    rows = "".join(_row(cells) for cells in _pairs(model))
    return (f'<div class="itomap-fit"><p>{escape(_headline(model))}</p>'
            f'<table><thead>{_row(("", "eigenvalue", "time scale", "residual", ""), "th")}</thead><tbody>{rows}</tbody>'
            f"</table>{_warnings(model)}</div>")


def _headline(model):
    kept, given = model.map_.size, model.map_.input_points
    left_out = f" ({given - kept:,} left out)" if kept < given else ""
    dimension = model.map_.dimension
    space = f"in {dimension} dimension{'s' if dimension > 1 else ''}" if dimension > 0 else "with precomputed distances"
    return f"{kept:,} points{left_out} {space}, epsilon = {model.epsilon_:.4g}, engine {model.plan_['engine']}"


def _pairs(model):
    last = min(_ROWS, len(model.eigenvalues_) - 1)
    for n in range(1, last + 1):
        flags = ["spurious"] * (n in model.spurious_) + ["not converged"] * (not model.converged_[n])
        yield (n, f"{model.eigenvalues_[n]:.4g}", f"{model.timescales_[n]:.4g}", f"{model.residuals_[n]:.1e}",
               ", ".join(flags))
    if len(model.eigenvalues_) - 1 > last:
        yield (f"{len(model.eigenvalues_) - 1 - last} more", "", "", "", "")


def _row(cells, tag="td"):
    return "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"


def _warnings(model):
    lines = [*model.diagnostics_["warnings"], *model.spectrum_.warnings]
    if not lines:
        return ""
    return "<p>Warnings</p><ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"

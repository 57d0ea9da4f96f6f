"""Draws lines of errors on a logarithmic axis, for the tools that measure them."""
import math

LEFT, TOP, WIDTH, HEIGHT = 70, 60, 520, 260


class Chart:
    """`places` along the axis at equal distances; errors from 10^lowest to 1."""

    def __init__(self, tool, title, note, places, label, lowest, margin):
        self.places, self.lowest = places, lowest
        self.lines = [
            '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13">'
            % (LEFT + WIDTH + margin, TOP + HEIGHT + 60),
            "<!-- Printed by %s; change that. -->" % tool,
            '<rect width="100%" height="100%" fill="white"/>',
            '<text x="%d" y="24" font-size="15">%s</text>' % (LEFT, title),
            '<text x="%d" y="43" fill="#555">%s</text>' % (LEFT, note),
        ]
        for power in range(lowest, 1):
            y = self.place(0, 10.0**power)[1]
            self.lines.append('<path d="M%d %.1fh%d" stroke="#ddd"/>' % (LEFT, y, WIDTH))
            self.lines.append('<text x="%d" y="%.1f" text-anchor="end">1e%d</text>' % (LEFT - 8, y + 4, power))
        for at, n in enumerate(places):
            self.lines.append('<text x="%.1f" y="%d" text-anchor="middle">%d</text>' % (self.place(at, 1)[0], TOP + HEIGHT + 22, n))
        self.lines.append('<text x="%d" y="%d" text-anchor="middle">%s</text>' % (LEFT + WIDTH // 2, TOP + HEIGHT + 44, label))

    def place(self, at, error):
        x = LEFT + WIDTH * at / (len(self.places) - 1)
        return x, TOP + HEIGHT * -math.log10(error) / -self.lowest

    def line(self, name, colour, errors, digits):
        points = [self.place(at, error) for at, error in enumerate(errors)]
        self.lines.append('<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>'
                          % (colour, " ".join("%.0f,%.0f" % point for point in points)))
        for (x, y), error in zip(points, errors):
            self.lines.append('<circle cx="%.0f" cy="%.0f" r="3" fill="%s"/>' % (x, y, colour))
            self.lines.append('<text x="%.0f" y="%.0f" fill="%s" text-anchor="middle" font-size="11">%.*g</text>'
                              % (x, y - 8, colour, digits, error))
        self.lines.append('<text x="%.0f" y="%.0f" fill="%s">%s</text>' % (points[-1][0] + 10, points[-1][1] + 4, colour, name))

    def ring(self, at, colour, error, digits):
        x, y = self.place(at, error)
        self.lines.append('<circle cx="%.0f" cy="%.0f" r="5" fill="none" stroke="%s" stroke-width="2"/>' % (x, y, colour))
        self.lines.append('<text x="%.0f" y="%.0f" fill="%s" font-size="11">%.*g</text>' % (x + 9, y + 14, colour, digits, error))

    def svg(self):
        return "\n".join(self.lines + ["</svg>"])

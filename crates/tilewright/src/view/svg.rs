//! Prints slices as one SVG picture, a group below the other.

use super::{Drawing, Slice};
use std::fmt::Write;

/// Colours that people with any colour vision tell apart (Okabe & Ito, 2008).
const COLOURS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];
const INK: &str = "#222222";
const FAINT: &str = "#6a6a6a";
/// Pixels around everything.
const MARGIN: f64 = 20.0;
/// Pixels of the points of the widest row, where there is no reason to use fewer.
const GRID: f64 = 720.0;
/// Nothing is wider.
const WIDEST: f64 = 1200.0;
/// Pixels between neighbouring points.
const SPACING: (f64, f64) = (8.0, 26.0);
/// Pixels between stages: few of them, and many.
const STAGES_APART: (f64, f64) = (48.0, 36.0);
/// Pixels that a letter of 13 takes, about.
const LETTER: f64 = 7.2;
/// Letters in a line of text.
const LINE: usize = 110;

/// The picture.
pub fn svg(drawings: &[Drawing]) -> String {
    let several = drawings.windows(2).any(|pair| {
        let region = |drawing: &Drawing| (drawing.function.clone(), drawing.region);
        region(&pair[0]) != region(&pair[1])
    });
    let mut page = Page {
        body: String::new(),
        y: MARGIN,
        width: 480.0,
    };
    for drawing in drawings {
        page.drawing(drawing, several);
    }
    let (width, height) = (page.width + MARGIN, page.y + MARGIN / 2.0);
    let shown = width.min(WIDEST);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" \
         viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n\
         <title>Tiles</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}</svg>\n",
        number(shown),
        number(height * shown / width),
        number(width),
        number(height),
        page.body
    )
}

/// What is written so far.
struct Page {
    body: String,
    /// Where the next thing goes.
    y: f64,
    /// How far to the right things reach.
    width: f64,
}

/// Where points lie.
struct Grid<'s> {
    slice: &'s Slice,
    /// Of the first position and the first row.
    left: f64,
    top: f64,
    first: i64,
    spacing: f64,
    apart: f64,
    radius: f64,
}

impl Grid<'_> {
    fn x(&self, position: i64) -> f64 {
        self.left + (position - self.first) as f64 * self.spacing
    }

    fn y(&self, row: usize) -> f64 {
        self.top + row as f64 * self.apart
    }

    /// The drawn positions of a tile in each of its rows: row, first, last.
    fn extents(&self, tile: usize) -> Vec<(usize, i64, i64)> {
        let mut extents: Vec<(usize, i64, i64)> = Vec::new();
        for point in self.slice.points.iter().filter(|p| p.tiles.contains(&tile)) {
            match extents.last_mut() {
                Some((row, _, last)) if *row == point.row => *last = point.position,
                _ => extents.push((point.row, point.position, point.position)),
            }
        }
        extents
    }
}

impl Page {
    fn drawing(&mut self, drawing: &Drawing, with_region: bool) {
        let mut heading = format!("Group {}: {}", drawing.group, drawing.stages.join(", "));
        if with_region {
            let region = format!("{}, region {}. ", drawing.function, drawing.region);
            heading.insert_str(0, &region);
        }
        for line in wrapped(&heading, LINE * 4 / 5) {
            self.text(
                MARGIN,
                16.0,
                &line,
                "font-size=\"16\" font-weight=\"bold\"",
                INK,
            );
            self.y += 22.0;
        }
        let slice = match &drawing.slice {
            Ok(slice) => slice,
            Err(reason) => {
                self.paragraph(&format!("{}: no picture, {reason}.", drawing.shape));
                self.y += 24.0;
                return;
            }
        };
        self.paragraph(&caption(drawing, slice));
        self.y += 14.0;
        self.slice(slice);
        self.y += 10.0;
    }

    fn slice(&mut self, slice: &Slice) {
        let first = slice.points.iter().map(|p| p.position).min().unwrap_or(0);
        let last = slice.points.iter().map(|p| p.position).max().unwrap_or(0);
        let labels: Vec<String> = slice.rows.iter().map(label).collect();
        let longest = labels.iter().map(|l| l.chars().count()).max().unwrap_or(0);
        let columns = (last - first).max(1) as f64;
        let spacing = (GRID / columns).clamp(SPACING.0, SPACING.1);
        let counted = slice.counted.is_some();
        let apart = match slice.rows.len() {
            _ if !counted => spacing.max(18.0),
            0..=8 => STAGES_APART.0,
            _ => STAGES_APART.1,
        };
        let grid = Grid {
            slice,
            left: MARGIN + longest as f64 * LETTER + 14.0 + spacing / 2.0,
            top: self.y + apart / 2.0,
            first,
            spacing,
            apart,
            radius: (spacing * 0.3).min(6.5),
        };
        let right = grid.x(last) + spacing / 2.0;
        for (row, label) in labels.iter().enumerate() {
            let at = (grid.left - spacing / 2.0 - 12.0, grid.y(row) + 4.5);
            self.put(at, label, "text-anchor=\"end\"", INK);
        }
        for tile in 0..slice.tiles.len() {
            self.outline(&grid, tile);
        }
        for point in &slice.points {
            self.point(
                (grid.x(point.position), grid.y(point.row)),
                grid.radius,
                &colours(slice, &point.tiles),
            );
        }
        for dependence in &slice.dependences {
            self.arrow(&grid, dependence.from, dependence.to);
        }
        self.width = self.width.max(right);
        if counted {
            for (row, shown) in slice.rows.iter().enumerate().filter(|(_, r)| r.count > 0) {
                let plural = if shown.count == 1 { "" } else { "s" };
                let mut text = format!("{} point{plural}", shown.count);
                if shown.redundant > 0 {
                    let _ = write!(text, ", {} shared", shown.redundant);
                }
                let at = (right + 14.0, grid.y(row) + 4.5);
                self.width = self.width.max(at.0 + text.len() as f64 * LETTER * 0.92);
                self.put(at, &text, "font-size=\"12\"", FAINT);
            }
        }
        self.y = grid.y(slice.rows.len().saturating_sub(1)) + apart / 2.0;
        if counted {
            self.y += 12.0;
            self.tile_names(&grid);
        }
        self.axis(&grid, last);
        self.legend(slice, grid.left);
        let notes: Vec<&str> = slice.notes.iter().map(String::as_str).collect();
        if !notes.is_empty() {
            self.paragraph(&format!("{}.", notes.join("; ")));
        }
    }

    /// The polygon around the points of a tile.
    fn outline(&mut self, grid: &Grid, tile: usize) {
        let extents = grid.extents(tile);
        let [first, .., last] = extents[..] else {
            if let [only] = extents[..] {
                self.polygon(grid, tile, &[only], (only.0, only.0));
            }
            return;
        };
        self.polygon(grid, tile, &extents, (first.0, last.0));
    }

    fn polygon(
        &mut self,
        grid: &Grid,
        tile: usize,
        extents: &[(usize, i64, i64)],
        ends: (usize, usize),
    ) {
        let beside = grid.spacing * 0.47;
        // Straight beside the points, sloping between the rows.
        let stages = grid.slice.counted.is_some();
        let flat = if stages { grid.radius * 0.9 } else { 0.0 };
        let beyond = grid.radius + if stages { 7.0 } else { 2.5 };
        let mut left = Vec::new();
        let mut right = Vec::new();
        for &(row, from, to) in extents {
            let (above, below) = (
                if row == ends.0 { beyond } else { flat },
                if row == ends.1 { beyond } else { flat },
            );
            for y in [grid.y(row) - above, grid.y(row) + below] {
                left.push((grid.x(from) - beside, y));
                right.push((grid.x(to) + beside, y));
            }
        }
        right.reverse();
        left.extend(right);
        left.dedup();
        let corners: Vec<String> = left
            .iter()
            .map(|&(x, y)| format!("{},{}", number(x), number(y)))
            .collect();
        let colour = COLOURS[grid.slice.tiles[tile].colour % COLOURS.len()];
        let _ = writeln!(
            self.body,
            "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.1\" stroke=\"{colour}\" \
             stroke-width=\"1.6\" stroke-linejoin=\"round\"><title>tile {}</title></polygon>",
            corners.join(" "),
            escaped(&grid.slice.tiles[tile].name)
        );
    }

    /// A dot; of several tiles, as many sectors.
    fn point(&mut self, (x, y): (f64, f64), radius: f64, colours: &[&str]) {
        let (cx, cy) = (number(x), number(y));
        match colours {
            [] => {
                let _ = writeln!(
                    self.body,
                    "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{}\" fill=\"#ffffff\" stroke=\"#bbbbbb\"/>",
                    number(radius * 0.55)
                );
            }
            [colour] => {
                let _ = writeln!(
                    self.body,
                    "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{}\" fill=\"{colour}\"/>",
                    number(radius)
                );
            }
            several => {
                // The first tile lies to the left.
                let share = std::f64::consts::TAU / several.len() as f64;
                let start = std::f64::consts::FRAC_PI_2;
                for (part, colour) in several.iter().enumerate() {
                    let at = |angle: f64| {
                        let (sin, cos) = angle.sin_cos();
                        format!("{} {}", number(x + radius * cos), number(y + radius * sin))
                    };
                    let _ = writeln!(
                        self.body,
                        "<path d=\"M{cx} {cy}L{}A{r} {r} 0 0 1 {}Z\" fill=\"{colour}\"/>",
                        at(start + part as f64 * share),
                        at(start + (part + 1) as f64 * share),
                        r = number(radius)
                    );
                }
                let _ = writeln!(
                    self.body,
                    "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{}\" fill=\"none\" stroke=\"{INK}\" \
                     stroke-width=\"0.9\"/>",
                    number(radius)
                );
            }
        }
    }

    /// A thin arrow; around the rows between, if there are some.
    fn arrow(&mut self, grid: &Grid, from: (usize, i64), to: (usize, i64)) {
        let begin = (grid.x(from.1), grid.y(from.0));
        let end = (grid.x(to.1), grid.y(to.0));
        let (dx, dy) = (end.0 - begin.0, end.1 - begin.1);
        let length = dx.hypot(dy).max(1.0);
        let rows = to.0.abs_diff(from.0);
        let far = rows > 1 || (rows == 0 && dx.abs() > grid.spacing * 1.5);
        let bend = if far && grid.slice.counted.is_some() {
            (0.14 * length).min(0.62 * grid.spacing.max(16.0))
        } else {
            0.0
        };
        let middle = (
            begin.0 + dx / 2.0 + 2.0 * bend * dy / length,
            begin.1 + dy / 2.0 - 2.0 * bend * dx / length,
        );
        let towards = |from: (f64, f64), to: (f64, f64), by: f64| {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let length = dx.hypot(dy).max(1.0);
            (from.0 + dx / length * by, from.1 + dy / length * by)
        };
        let start = towards(begin, middle, grid.radius + 0.5);
        let tip = towards(end, middle, grid.radius + 1.0);
        let head = towards(tip, middle, 6.0);
        let side = ((head.1 - tip.1) * 0.38, (tip.0 - head.0) * 0.38);
        let _ = writeln!(
            self.body,
            "<path d=\"M{} {}Q{} {} {} {}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1\" \
             stroke-opacity=\"0.75\"/><path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{INK}\"/>",
            number(start.0),
            number(start.1),
            number(middle.0),
            number(middle.1),
            number(head.0),
            number(head.1),
            number(tip.0),
            number(tip.1),
            number(head.0 + side.0),
            number(head.1 + side.1),
            number(head.0 - side.0),
            number(head.1 - side.1)
        );
    }

    /// Below the last row.
    fn tile_names(&mut self, grid: &Grid) {
        for (number, tile) in grid.slice.tiles.iter().enumerate() {
            let Some((_, from, to)) = grid.extents(number).last().copied() else {
                continue;
            };
            let at = ((grid.x(from) + grid.x(to)) / 2.0, self.y);
            let colour = COLOURS[tile.colour % COLOURS.len()];
            let style = "text-anchor=\"middle\" font-weight=\"bold\" font-size=\"12\"";
            let room = grid.x(to) - grid.x(from) + grid.spacing;
            let name = match &tile.name {
                name if room >= 7.0 * LETTER => format!("tile {name}"),
                name => name.clone(),
            };
            self.put(at, &name, style, colour);
        }
        self.y += 10.0;
    }

    /// Indices of the last row.
    fn axis(&mut self, grid: &Grid, last: i64) {
        let scale = grid.slice.rows.last().map_or(1, |row| row.scale);
        let apart = grid.spacing * scale as f64;
        let steps = [1, 2, 4, 8, 16, 32, 64];
        let step = steps
            .into_iter()
            .find(|&step| step as f64 * apart >= 30.0)
            .unwrap_or(128);
        self.y += 10.0;
        let shift = grid.slice.rows.last().map_or(0, |row| row.shift);
        for index in (grid.first - shift).div_euclid(scale)..=(last - shift).div_euclid(scale) {
            let position = index * scale + shift;
            if index.rem_euclid(step) == 0 && position >= grid.first {
                let at = (grid.x(position), self.y);
                let style = "text-anchor=\"middle\" font-size=\"11\"";
                self.put(at, &index.to_string(), style, FAINT);
            }
        }
        let at = (grid.left - grid.spacing / 2.0 - 12.0, self.y);
        let name = format!("{} \u{2192}", grid.slice.dimension);
        self.put(
            at,
            &name,
            "text-anchor=\"end\" font-style=\"italic\"",
            FAINT,
        );
        self.y += 26.0;
    }

    fn legend(&mut self, slice: &Slice, left: f64) {
        let mut x = left;
        let mut item = |page: &mut Page, colours: Option<&[&str]>, text: &str| {
            let y = page.y;
            match colours {
                Some(colours) => page.point((x, y - 4.0), 6.0, colours),
                None => {
                    let _ = writeln!(
                        page.body,
                        "<path d=\"M{} {y4}H{}\" stroke=\"{INK}\"/><path d=\"M{} {y4}l-6 -2.5v5Z\" \
                         fill=\"{INK}\"/>",
                        number(x - 10.0),
                        number(x + 4.0),
                        number(x + 8.0),
                        y4 = number(y - 4.0),
                    );
                }
            }
            page.put((x + 13.0, y), text, "font-size=\"12\"", FAINT);
            x += 13.0 + text.len() as f64 * LETTER * 0.88 + 22.0;
            page.width = page.width.max(x - 22.0);
        };
        let shared = slice.points.iter().find(|point| point.tiles.len() > 1);
        if slice.counted.is_none() {
            item(self, Some(&COLOURS[..1]), "each tile has a colour");
        }
        if let Some(shared) = shared {
            let colours = colours(slice, &shared.tiles);
            item(self, Some(&colours), "computed by each of these tiles");
        }
        if slice.points.iter().any(|point| point.tiles.is_empty()) {
            let text = match slice.counted {
                Some(_) => "computed by tiles that are not drawn",
                None => "not in a tile",
            };
            item(self, Some(&[]), text);
        }
        if !slice.dependences.is_empty() {
            item(self, None, "from a value to where it is needed");
        }
        self.y += 22.0;
    }

    fn paragraph(&mut self, text: &str) {
        for line in wrapped(text, LINE) {
            self.text(MARGIN, 13.0, &line, "", FAINT);
            self.y += 18.0;
        }
    }

    /// Text in the next line.
    fn text(&mut self, x: f64, size: f64, text: &str, style: &str, colour: &str) {
        let width = text.chars().count() as f64 * LETTER * size / 13.0;
        self.width = self.width.max(x + width);
        self.put((x, self.y + 8.0), text, style, colour);
    }

    fn put(&mut self, (x, y): (f64, f64), text: &str, style: &str, colour: &str) {
        let space = if style.is_empty() { "" } else { " " };
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" fill=\"{colour}\"{space}{style}>{}</text>",
            number(x),
            number(y),
            escaped(text)
        );
    }
}

/// What is seen: the shape, the plan's sizes and the drawn ones, values of parameters.
fn caption(drawing: &Drawing, slice: &Slice) -> String {
    let sizes = |sizes: &[i64]| {
        let one = |size: &i64| match size {
            0 => "whole".to_owned(),
            size => size.to_string(),
        };
        sizes.iter().map(one).collect::<Vec<_>>().join(" \u{d7} ")
    };
    let mut text = format!("{} tiles of {}", drawing.shape, sizes(&slice.tile_sizes));
    if slice.tile_sizes != drawing.tile_sizes {
        let _ = write!(text, " (the plan has {})", sizes(&drawing.tile_sizes));
    }
    if slice.parameters.is_empty() {
        return text;
    }
    let values = slice.parameters.iter();
    let values: Vec<String> = values.map(|(n, v)| format!("{n} = {v}")).collect();
    let _ = write!(text, ", for {}", values.join(", "));
    text
}

fn label(row: &super::Row) -> String {
    let scaled = match row.scale {
        1 => String::new(),
        scale => format!("\u{d7}{scale}"),
    };
    let shifted = match row.shift {
        0 => String::new(),
        shift if shift < 0 => format!("\u{2212}{}", -shift),
        shift => format!("+{shift}"),
    };
    let words: Vec<&str> = [scaled.as_str(), shifted.as_str()]
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        row.label.clone()
    } else {
        format!("{} ({})", row.label, words.join(" "))
    }
}

fn colours(slice: &Slice, tiles: &[usize]) -> Vec<&'static str> {
    let colour = |&tile: &usize| COLOURS[slice.tiles[tile].colour % COLOURS.len()];
    tiles.iter().map(colour).collect()
}

/// At most one digit behind the point.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Text for XML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Text in lines of at most `most` letters, broken between words.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

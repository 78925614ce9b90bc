//! A generated test chart: what a filter does to edges, gradients and fine detail can be seen.
//!
//! From top to bottom: colour bars, a grey scale, and on a coloured gradient a zone plate (rings
//! that get finer outwards), a disc, a tilted square and a patch of faint stripes.

use super::element::{self, Value};
use super::{Shape, picture};

/// Colours of the bars: white, yellow, cyan, green, magenta, red, blue, black.
const BARS: [[f32; 3]; 8] = [
    [1.0, 1.0, 1.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, 0.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 0.0, 0.0],
];

/// Steps of the grey scale.
const GREYS: f32 = 16.0;

/// Draws the chart into an array that looks like a picture; others are left alone.
pub fn draw(shape: &Shape, bytes: &mut [u8]) {
    let Some(planes) = picture::planes(&shape.extents) else {
        return;
    };
    let float = shape.element.is_float();
    element::fill(shape.element, bytes, |at| {
        let (channel, row, column) = planes.place(at);
        let colour = colour(row, column, planes.height, planes.width);
        let value = match (planes.channels, channel) {
            (1, _) => 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2],
            (_, 3) => 1.0,
            (_, channel) => colour[channel],
        };
        Value::Float(if float {
            value.into()
        } else {
            (value * 255.0).into()
        })
    });
}

/// Red, green and blue in 0..=1.
fn colour(row: usize, column: usize, height: usize, width: usize) -> [f32; 3] {
    let (x, y) = (column as f32 / width as f32, row as f32 / height as f32);
    if y < 0.1 {
        return BARS[(x * 8.0) as usize % 8];
    }
    if y < 0.18 {
        return [(x * GREYS).floor() / (GREYS - 1.0); 3];
    }
    // In units of the shorter side, so that circles are round.
    let side = width.min(height) as f32;
    let (u, v) = (x * width as f32 / side, y * height as f32 / side);
    let (right, bottom) = (width as f32 / side, height as f32 / side);
    let from = |a: f32, b: f32| ((u - a * right).powi(2) + (v - b * bottom).powi(2)).sqrt();

    let plate = from(0.3, 0.6);
    if plate < 0.28 {
        // The local period at the rim is four pixels.
        let phase = std::f32::consts::PI * side / 4.0 / 0.28 * plate * plate;
        return [0.5 + 0.5 * phase.cos(); 3];
    }
    if from(0.7, 0.38) < 0.12 {
        return [0.9, 0.25, 0.15];
    }
    let (a, b) = (u - 0.7 * right, v - 0.75 * bottom);
    let (along, across) = (0.996 * a + 0.087 * b, 0.996 * b - 0.087 * a);
    if along.abs().max(across.abs()) < 0.13 {
        let faint = if along > 0.0 {
            0.02 * ((row + column) % 2) as f32
        } else {
            0.0
        };
        return [0.12 + faint, 0.12 + faint, 0.3 + faint];
    }
    [0.35 + 0.4 * x, 0.35 + 0.4 * y, 0.75 - 0.4 * x]
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewright::scop::ScalarKind;

    #[test]
    fn values_are_pixels_in_every_layout() {
        for extents in [
            vec![3, 40, 60],
            vec![40, 60, 3],
            vec![4, 40, 60],
            vec![40, 60],
        ] {
            for element in [ScalarKind::F32, ScalarKind::U8] {
                let shape = Shape {
                    name: "img".into(),
                    element,
                    extents: extents.clone(),
                };
                let mut bytes = vec![0; shape.bytes()];
                draw(&shape, &mut bytes);
                let top = if element.is_float() { 1.0 } else { 255.0 };
                let values: Vec<f64> = element::values(element, &bytes)
                    .map(Value::as_f64)
                    .collect();
                assert!(
                    values
                        .iter()
                        .all(|value| (0.0..=top + 1e-6).contains(value))
                );
                let distinct = values.iter().filter(|&&value| value != values[0]).count();
                assert!(distinct > values.len() / 2);
            }
        }
    }
}

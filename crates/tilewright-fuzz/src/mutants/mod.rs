//! Mutants of what the compiler decides and makes: plans, schedules, storage, kernels, text. Each is
//! refused, or computes the same.

pub mod kernels;
pub mod run;
pub mod schedules;
pub mod storage;
pub mod subject;
pub mod tally;
pub mod texts;

use crate::random::Random;
use serde::Deserialize;
use serde_json::{Value, json};
use tilewright::plan::{Group, Plan, Shape};

/// The plan with one to three changes at random: numbers, switches, shapes, the order and number of
/// what is listed, groups joined or taken apart. None where the changes make something that is no
/// plan.
pub fn mutate(plan: &Plan, seed: u64) -> Option<Plan> {
    let mut random = Random::new(seed, 0);
    let mut value = serde_json::to_value(plan).ok()?;
    for _ in 0..random.range(1, 3) {
        change(&mut value, &mut random);
    }
    let regions = value.get_mut("region").and_then(Value::as_array_mut);
    for region in regions.into_iter().flatten() {
        let groups = region.get_mut("group").and_then(Value::as_array_mut);
        groups.into_iter().flatten().for_each(meaningful);
    }
    serde_json::from_value(value).ok()
}

/// Leaves out of a group what means nothing for its shape, which may be another one now.
fn meaningful(group: &mut Value) {
    let Value::Object(fields) = group else { return };
    let (stages, shape) = (fields["stages"].clone(), fields["shape"].clone());
    fields.retain(|field, value| {
        let mut alone = json!({ "stages": &stages, "shape": &shape });
        alone[field] = value.take();
        let read = Group::deserialize(&alone);
        *value = alone[field].take();
        !read.is_err_and(|error| error.to_string().contains("means nothing"))
    });
}

fn change(plan: &mut Value, random: &mut Random) {
    if random.percent(15) {
        regroup(plan, random);
        return;
    }
    if random.percent(10) {
        absent(plan, random);
        return;
    }
    let mut places = Vec::new();
    collect(
        plan.get("region").unwrap_or(&Value::Null),
        "/region",
        &mut places,
    );
    let mut names = Vec::new();
    for place in &places {
        if let Some(Value::String(name)) = plan.pointer(place) {
            names.push(name.clone());
        }
    }
    if places.is_empty() {
        return;
    }
    let place = random.pick(&places).clone();
    let is_shape = place.ends_with("/shape");
    let Some(at) = plan.pointer_mut(&place) else {
        return;
    };
    match at {
        Value::Bool(set) => *set = !*set,
        Value::Number(number) => {
            let old = number.as_i64().unwrap_or(0);
            let new = *random.pick(&[0, 1, 2, 3, 4, 5, 8, 16, -1, old + 1, old - 1, old * 2, 247]);
            *at = Value::from(new);
        }
        Value::String(text) => {
            *text = if is_shape {
                random.pick(&Shape::ALL).name().to_owned()
            } else {
                random.pick(&names).clone()
            };
        }
        Value::Array(list) => match random.below(4) {
            0 if !list.is_empty() => {
                let k = random.below(list.len());
                list.remove(k);
            }
            1 if !list.is_empty() => {
                let k = random.below(list.len());
                list.push(list[k].clone());
            }
            2 => list.reverse(),
            _ if list.iter().all(Value::is_i64) => list.push(Value::from(random.range(1, 5))),
            _ if !names.is_empty() => list.push(Value::from(random.pick(&names).clone())),
            _ => {}
        },
        Value::Null | Value::Object(_) => {}
    }
}

/// What plans mention only where it is there: parallel loops inside sequential ones.
fn absent(plan: &mut Value, random: &mut Random) {
    let regions = plan.get_mut("region").and_then(Value::as_array_mut);
    for region in regions.into_iter().flatten() {
        let groups = region.get_mut("group").and_then(Value::as_array_mut);
        for group in groups
            .into_iter()
            .flatten()
            .filter(|group| group.is_object())
        {
            if random.percent(70) {
                group["lanes"] = json!([random.pick(&["i", "j", "k"])]);
            } else {
                group["spread"] = json!(true);
            }
        }
    }
}

/// Two neighbouring groups as one, one as two, or two in another order.
fn regroup(plan: &mut Value, random: &mut Random) {
    let Some(regions) = plan.get_mut("region").and_then(Value::as_array_mut) else {
        return;
    };
    if regions.is_empty() {
        return;
    }
    let k = random.below(regions.len());
    let Some(groups) = regions[k].get_mut("group").and_then(Value::as_array_mut) else {
        return;
    };
    // Another change may have put a number there.
    if groups.is_empty() || !groups.iter().all(Value::is_object) {
        return;
    }
    let at = random.below(groups.len());
    let stages = |group: &Value| {
        group
            .get("stages")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    match random.below(3) {
        0 if at + 1 < groups.len() => {
            let mut all = stages(&groups[at]);
            all.extend(stages(&groups[at + 1]));
            groups.remove(at + 1);
            groups[at]["stages"] = Value::Array(all);
        }
        1 if stages(&groups[at]).len() > 1 => {
            let mut first = stages(&groups[at]);
            let second = first.split_off(1);
            let mut other = groups[at].clone();
            groups[at]["stages"] = Value::Array(first);
            other["stages"] = Value::Array(second);
            groups.insert(at + 1, other);
        }
        _ if at + 1 < groups.len() => groups.swap(at, at + 1),
        _ => {}
    }
}

fn collect(value: &Value, path: &str, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                collect(inner, &format!("{path}/{name}"), places);
            }
        }
        Value::Array(list) => {
            let changeable = list.iter().all(|v| !v.is_object());
            if changeable {
                places.push(path.to_owned());
            }
            for (k, inner) in list.iter().enumerate() {
                collect(inner, &format!("{path}/{k}"), places);
            }
        }
        _ => places.push(path.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewright::plan::Plan;

    #[test]
    fn plans_change() {
        let text = "version = 1\n[[region]]\nfunction = \"f\"\nindex = 0\n\
            [[region.group]]\nstages = [\"a\", \"b\"]\nshape = \"parallelogram\"\ntile-sizes = [4, 4]\n\
            [[region.group]]\nstages = [\"c\"]\nshape = \"none\"\n";
        let plan = Plan::from_toml(text).unwrap();
        let mutants: Vec<Plan> = (0..200).filter_map(|seed| mutate(&plan, seed)).collect();
        let changed = mutants.iter().filter(|mutant| **mutant != plan).count();
        assert!(changed > 100, "{changed} of {}", mutants.len());
        let sizes = |mutant: &&Plan| {
            let groups = &mutant.regions[0].groups;
            groups
                .first()
                .is_some_and(|group| group.tile_sizes() != [4, 4])
        };
        assert!(mutants.iter().any(|mutant| sizes(&mutant)));
        let regrouped = |mutant: &Plan| mutant.regions[0].groups.len() != 2;
        assert!(mutants.iter().any(regrouped));
    }
}

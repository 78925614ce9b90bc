use super::super::Plan;
use super::*;
use Shape::{Diamond, Hexagonal, None, Parallelogram, Polymage, Right, Scalene, Split};

const TILED: &[Shape] = &[
    Parallelogram,
    Scalene,
    Right,
    Polymage,
    Split,
    Diamond,
    Hexagonal,
];
const OVERLAPPED: &[Shape] = &[Scalene, Right, Polymage];
const LOOPS: &[Shape] = &[None, Parallelogram];
const AFFINE: &[Shape] = &[Parallelogram];

/// Every field but the first two, not at its default, with the shapes for which it means something.
const FIELDS: [(&str, &[Shape]); 32] = [
    ("tile-sizes = [8, 16]", TILED),
    ("tile-order = [1, 0]", OVERLAPPED),
    ("vector-tile = 64", AFFINE),
    ("local = [\"a\"]", OVERLAPPED),
    ("nests = [[\"a\", \"b\"]]", OVERLAPPED),
    ("registers = [\"a\"]", OVERLAPPED),
    ("interleave = [{ dimension = 1, block = 4 }]", OVERLAPPED),
    ("folded = [\"a\"]", OVERLAPPED),
    ("share = [[\"a\", \"b\"]]", OVERLAPPED),
    ("jam = [{ stage = \"a\", factors = [2] }]", TILED),
    ("loops = [\"fuse:i\"]", LOOPS),
    ("reorder = [\"s\"]", &Shape::ALL),
    ("fuse = \"max\"", AFFINE),
    ("parallel = false", &Shape::ALL),
    ("wavefront = false", AFFINE),
    ("wavefront-points = true", AFFINE),
    ("vectorise = false", &Shape::ALL),
    (
        "contract = false",
        &[None, Parallelogram, Split, Diamond, Hexagonal],
    ),
    (
        "separate = true",
        &[Parallelogram, Scalene, Right, Polymage],
    ),
    ("spread = true", &[None]),
    ("lanes = [\"x\"]", &[None]),
    ("concurrent = 2", &[Diamond]),
    ("align = 4", &[Diamond, Hexagonal]),
    ("threads = [32, 4]", &Shape::ALL),
    ("grid = 2", &Shape::ALL),
    ("full-tiles = true", &Shape::ALL),
    ("unroll = 4", &Shape::ALL),
    ("atomic = [\"s\"]", &[None]),
    ("sink = true", &Shape::ALL),
    ("promote = [{ array = \"a\", depth = 1 }]", &Shape::ALL),
    ("banks = 0", &Shape::ALL),
    ("index = \"long\"", &Shape::ALL),
];

/// What every file has.
const USUAL: &str = "tile-sizes = []
vector-tile = 0
fuse = \"smart\"
parallel = true
wavefront = true
vectorise = true
contract = true
separate = false
";

fn plan(shape: Shape, fields: &str) -> Result<Plan, String> {
    Plan::from_toml(&format!(
        "version = 1\n\n[[region]]\nfunction = \"f\"\nindex = 0\nplanner = \"manual\"\n\n\
         [[region.group]]\nstages = [\"a\", \"b\"]\nshape = \"{}\"\n{fields}",
        shape.name()
    ))
}

fn group(shape: Shape, fields: &str) -> Result<Group, String> {
    plan(shape, fields).map(|mut plan| plan.regions[0].groups.remove(0))
}

fn name(field: &str) -> &str {
    field.split(' ').next().unwrap()
}

#[test]
fn fields_are_for_shapes() {
    for (field, shapes) in FIELDS {
        let name = name(field);
        for shape in Shape::ALL {
            let read = group(shape, field);
            if shapes.contains(&shape) {
                assert_ne!(read, Ok(Group::new(read.clone().unwrap().stages, shape)));
            } else {
                let message = read.unwrap_err();
                let refused = format!(
                    "`{name}` means nothing for tiles of shape `{}`",
                    shape.name()
                );
                assert!(message.contains(&refused), "{message}");
                let known = shapes
                    .iter()
                    .all(|s| message.contains(&format!("`{}`", s.name())));
                assert!(known, "{message}");
            }
        }
    }
}

#[test]
fn all_fields_are_known() {
    let mut entry = Entry::from(Group::new(Vec::new(), None));
    for (field, shapes) in FIELDS {
        let other = Entry::from(group(shapes[0], field).unwrap());
        entry = Entry {
            shape: None,
            stages: Vec::new(),
            ..merged(&entry, &other, name(field))
        };
    }
    let all = toml::Table::try_from(&entry).unwrap();
    assert_eq!(all.len(), 2 + FIELDS.len());
}

/// One table with a field of another.
fn merged(entry: &Entry, other: &Entry, field: &str) -> Entry {
    let mut table = toml::Table::try_from(entry).unwrap();
    let mut other = toml::Table::try_from(other).unwrap();
    table.insert(field.to_owned(), other.remove(field).unwrap());
    table.try_into().unwrap()
}

/// Fields at their defaults say nothing.
#[test]
fn defaults_are_for_all_shapes() {
    let more = "align = 1\ngrid = 1\nspread = false\nlocal = []\n";
    for shape in Shape::ALL {
        let default = Group::new(vec!["a".to_owned(), "b".to_owned()], shape);
        assert_eq!(group(shape, ""), Ok(default.clone()));
        assert_eq!(group(shape, &format!("{USUAL}{more}")), Ok(default));
        let text = plan(shape, "").unwrap().to_toml().unwrap();
        assert!(
            text.ends_with(&format!("shape = \"{}\"\n{USUAL}", shape.name())),
            "{text}"
        );
    }
}

/// All that a shape has is there again, in the order of the table.
#[test]
fn groups_are_read_as_they_are_written() {
    for shape in Shape::ALL {
        let own = FIELDS.iter().filter(|(_, shapes)| shapes.contains(&shape));
        let own: Vec<&str> = own.map(|(field, _)| *field).collect();
        let given = plan(shape, &own.join("\n")).unwrap();
        let text = given.to_toml().unwrap();
        assert_eq!(Plan::from_toml(&text), Ok(given.clone()), "{text}");
        let json = serde_json::to_string(&given).unwrap();
        let read: Plan = serde_json::from_str(&json).unwrap();
        assert_eq!(read, given, "{json}");
        let (_, json) = json.split_once("\"group\":").unwrap();
        let place = |field: &&str| json.find(&format!("\"{}\":", name(field)));
        assert!(own.is_sorted_by_key(place), "{json}");
        assert!(own.iter().all(|field| place(field).is_some()), "{json}");
    }
}

#[test]
fn messages_say_where_a_field_would_mean_something() {
    let message = group(Scalene, "align = 4\n").unwrap_err();
    let expected = "\
TOML parse error at line 8, column 1
  |
8 | [[region.group]]
  | ^^^^^^^^^^^^^^^^
`align` means nothing for tiles of shape `scalene`; it is for `diamond` and `hexagonal`
";
    assert_eq!(message, expected);
    for (shape, field, expected) in [
        (Split, "concurrent = 1", "it is for `diamond`\n"),
        (None, "vector-tile = 8", "it is for `parallelogram`\n"),
        (
            Diamond,
            "local = [\"a\"]",
            "it is for `scalene`, `right` and `polymage`\n",
        ),
    ] {
        let message = group(shape, field).unwrap_err();
        assert!(message.ends_with(expected), "{message}");
    }
}

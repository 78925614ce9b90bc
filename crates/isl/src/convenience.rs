//! What isl leaves to loops: collections as `Vec`s, values as integers, optional names.

use crate::*;

/// `$method` collects what `$foreach` visits.
macro_rules! collect {
    ($($(#[$doc:meta])* $ty:ident::$method:ident: $foreach:ident($($arg:ident),+) -> $item:ty;)*) => {$(
        impl $ty {
            $(#[$doc])*
            pub fn $method(&self) -> Result<Vec<$item>> {
                let mut items = Vec::new();
                self.$foreach(&mut |$($arg),+| {
                    items.push(($($arg),+));
                    Ok(())
                })?;
                Ok(items)
            }
        }
    )*};
}

collect! {
    /// The disjuncts, which may overlap.
    Set::basic_sets: foreach_basic_set(part) -> BasicSet;
    /// The disjuncts, which may overlap.
    Map::basic_maps: foreach_basic_map(part) -> BasicMap;
    /// The sets of the union, one for each space.
    UnionSet::sets: foreach_set(part) -> Set;
    /// The maps of the union, one for each space.
    UnionMap::maps: foreach_map(part) -> Map;
    /// The constraints, in no particular order.
    BasicSet::constraints: foreach_constraint(part) -> Constraint;
    /// The constraints, in no particular order.
    BasicMap::constraints: foreach_constraint(part) -> Constraint;
    /// The pieces: disjoint domains with their expressions.
    PwAff::pieces: foreach_piece(domain, value) -> (Set, Aff);
    /// The pieces: disjoint domains with their expressions.
    PwMultiAff::pieces: foreach_piece(domain, value) -> (Set, MultiAff);
    /// The pieces: disjoint domains with their polynomials.
    PwQpolynomial::pieces: foreach_piece(domain, value) -> (Set, Qpolynomial);
    /// The parts, one for each space.
    UnionPwAff::pw_affs: foreach_pw_aff(part) -> PwAff;
    /// The parts, one for each space.
    UnionPwMultiAff::pw_multi_affs: foreach_pw_multi_aff(part) -> PwMultiAff;
    /// The parts, one for each space.
    UnionPwQpolynomial::pw_qpolynomials: foreach_pw_qpolynomial(part) -> PwQpolynomial;
    /// The terms of the sum.
    Qpolynomial::terms: foreach_term(part) -> Term;
    /// All points. The set must be bounded: limit the work with
    /// [`Ctx::set_max_operations`] where it may not be.
    Set::points: foreach_point(point) -> Point;
    /// All points. The set must be bounded: limit the work with
    /// [`Ctx::set_max_operations`] where it may not be.
    UnionSet::points: foreach_point(point) -> Point;
}

macro_rules! to_vec {
    ($($list:ident of $item:ident),* $(,)?) => {$(
        impl $list {
            /// The elements.
            pub fn to_vec(&self) -> Result<Vec<$item>> {
                (0..self.size()?).map(|i| self.get_at(i)).collect()
            }

            /// A list with these elements.
            pub fn from_slice(ctx: &Ctx, items: &[$item]) -> Result<$list> {
                items.iter().try_fold($list::alloc(ctx, items.len())?, |list, item| list.add(item))
            }
        }
    )*};
}

to_vec! {
    AffList of Aff, AstExprList of AstExpr, AstNodeList of AstNode, BasicMapList of BasicMap,
    BasicSetList of BasicSet, ConstraintList of Constraint, IdList of Id, MapList of Map,
    PwAffList of PwAff, PwMultiAffList of PwMultiAff, PwQpolynomialFoldList of PwQpolynomialFold,
    PwQpolynomialList of PwQpolynomial, QpolynomialList of Qpolynomial, SetList of Set,
    UnionMapList of UnionMap, UnionPwAffList of UnionPwAff,
    UnionPwMultiAffList of UnionPwMultiAff, UnionSetList of UnionSet, ValList of Val,
}

macro_rules! elements {
    ($($multi:ident of $item:ident),* $(,)?) => {$(
        impl $multi {
            /// The elements, one for each output dimension.
            pub fn elements(&self) -> Result<Vec<$item>> {
                (0..self.size()?).map(|i| self.get_at(i)).collect()
            }
        }
    )*};
}

elements! {
    MultiAff of Aff, MultiId of Id, MultiPwAff of PwAff, MultiUnionPwAff of UnionPwAff,
    MultiVal of Val,
}

/// The names of dimensions and tuples, for types whose tuples need no dimension type.
macro_rules! set_names {
    ($($ty:ident),*) => {$(
        impl $ty {
            /// The names of the set's dimensions, as far as they have one.
            pub fn dim_names(&self) -> Result<Vec<Option<String>>> {
                (0..self.dim(DimType::Set)?)
                    .map(|i| optional(self.get_dim_name(DimType::Set, i)))
                    .collect()
            }

            /// The names of the parameters.
            pub fn param_names(&self) -> Result<Vec<String>> {
                (0..self.dim(DimType::Param)?)
                    .map(|i| self.get_dim_name(DimType::Param, i))
                    .collect()
            }

            /// The name of the set's tuple, if it has one.
            pub fn tuple_name(&self) -> Result<Option<String>> {
                optional(self.get_tuple_name())
            }
        }
    )*};
}

set_names!(BasicSet, Set);

/// The same where there are a domain and a range.
macro_rules! map_names {
    ($($ty:ident),*) => {$(
        impl $ty {
            /// The names of the dimensions of a kind, as far as they have one.
            pub fn dim_names(&self, kind: DimType) -> Result<Vec<Option<String>>> {
                (0..self.dim(kind)?)
                    .map(|i| optional(self.get_dim_name(kind, i)))
                    .collect()
            }

            /// The names of the parameters.
            pub fn param_names(&self) -> Result<Vec<String>> {
                (0..self.dim(DimType::Param)?)
                    .map(|i| self.get_dim_name(DimType::Param, i))
                    .collect()
            }

            /// The name of the domain's ([`DimType::In`]) or the range's
            /// ([`DimType::Out`]) tuple, if it has one.
            pub fn tuple_name(&self, kind: DimType) -> Result<Option<String>> {
                optional(self.get_tuple_name(kind))
            }
        }
    )*};
}

map_names!(Map, Space);

/// `None` where isl says that there is none.
fn optional<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::Absent => Ok(None),
        Err(error) => Err(error),
    }
}

impl Val {
    /// The value, if it is an integer of 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        if self.is_int().ok()? {
            self.get_num_si().ok()
        } else {
            None
        }
    }
}

impl Mat {
    /// The rows, where all elements are integers of 64 bits.
    ///
    /// # Errors
    /// isl's own.
    pub fn to_i64s(&self) -> Result<Option<Vec<Vec<i64>>>> {
        let columns = self.cols()?;
        let mut rows = Vec::new();
        for row in 0..self.rows()? {
            let mut elements = Vec::with_capacity(columns);
            for column in 0..columns {
                match self.get_element_val(row, column)?.to_i64() {
                    Some(element) => elements.push(element),
                    None => return Ok(None),
                }
            }
            rows.push(elements);
        }
        Ok(Some(rows))
    }
}

impl Point {
    /// The coordinates.
    ///
    /// # Errors
    ///
    /// If the point is void, or a coordinate has more than 64 bits.
    pub fn coordinates(&self) -> Result<Vec<i64>> {
        let dim = self.get_space()?.dim(DimType::Set)?;
        (0..dim)
            .map(|i| {
                let value = self.get_coordinate_val(DimType::Set, i)?;
                value.to_i64().ok_or_else(|| {
                    Error::new(
                        ErrorKind::Unsupported,
                        format!("coordinate {value} is no integer of 64 bits"),
                    )
                })
            })
            .collect()
    }
}

impl MultiVal {
    /// The values, where all are integers of 64 bits.
    pub fn to_i64s(&self) -> Result<Option<Vec<i64>>> {
        Ok(self.elements()?.iter().map(Val::to_i64).collect())
    }
}

impl AstNode {
    /// The children of a block; the node itself, where it is none.
    pub fn statements(&self) -> Result<Vec<AstNode>> {
        if self.get_type()? == AstNodeType::Block {
            self.block_get_children()?.to_vec()
        } else {
            Ok(vec![self.clone()])
        }
    }
}

impl AstExpr {
    /// The arguments of an operation.
    pub fn op_args(&self) -> Result<Vec<AstExpr>> {
        (0..self.get_op_n_arg()?)
            .map(|i| self.get_op_arg(i))
            .collect()
    }
}

impl ScheduleNode {
    /// The children, from first to last.
    pub fn children(&self) -> Result<Vec<ScheduleNode>> {
        (0..self.n_children()?).map(|i| self.child(i)).collect()
    }
}

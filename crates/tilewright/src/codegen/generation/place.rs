//! Where the accesses of one statement instance go: buffer and index per dimension.
//!
//! Accesses are functions of the lifted instance, never of the position in the schedule: isl's
//! generator forgets degenerate tile loops, so that the position may lack tile coordinates.
//! Subscripts without divisions and cases are substituted here; the others go through isl, which
//! simplifies them with what holds at the place.

use crate::codegen::kernel::{Index, Instance, Place, PlaceIndex};
use crate::codegen::terms::index::from_ast;
use crate::scop::linear::{self, Dim};
use crate::scop::{Access, AccessKind, Scop};
use crate::transform::{Buffer, BufferId, BufferKind, Lifted};
use isl::{Aff, AstBuild, DimType, Error, ErrorKind, PwAff, PwMultiAff, Result, Val};
use std::cell::OnceCell;

/// A function at a place where the dimensions are these.
fn at(function: &linear::Subscript, dims: &[Index]) -> Index {
    let mut sum = Index::Int(0);
    for &(of, factor) in function.terms() {
        sum = sum.plus(&match of {
            Dim::In(dim) => dims[dim].times(factor),
            Dim::Param(param) => Index::Param(param).times(factor),
        });
    }
    sum.plus(&Index::Int(function.constant()))
}

/// One dimension of one access, prepared once per lifted statement.
struct Subscript {
    /// `None`: depends on data.
    affine: Option<PwAff>,
    linear: Option<linear::Subscript>,
    origin: Option<Origin>,
    /// Folding.
    modulo: Option<i64>,
}

/// What is subtracted from a subscript of a local buffer or temporary.
enum Origin {
    /// A function of the tile coordinates.
    Tile {
        aff: Aff,
        linear: Option<linear::Subscript>,
    },
    /// A function of the parameters.
    Params(Index),
}

/// A lifted statement, prepared.
pub(crate) struct Prepared<'a> {
    lifted: &'a Lifted,
    accesses: Vec<(BufferId, Vec<Subscript>)>,
    to_original: PwMultiAff,
    to_tile: PwMultiAff,
}

impl<'a> Prepared<'a> {
    /// `temporary_origins`: per buffer what its dimensions start at, for temporaries kept in full.
    pub(crate) fn new(
        scop: &Scop,
        buffers: &[Buffer],
        lifted: &'a Lifted,
        temporary_origins: &[Option<Vec<Index>>],
    ) -> Result<Prepared<'a>> {
        let statement = &scop.statements[lifted.statement];
        let mut accesses = Vec::new();
        for (access, &buffer) in statement.accesses.iter().zip(&lifted.bindings) {
            let mut subscripts = Vec::new();
            if !is_single(&buffers[buffer]) {
                for dim in 0..access.subscripts.len() {
                    let origins = temporary_origins[buffer].as_deref();
                    subscripts.push(subscript(scop, access, dim, &buffers[buffer], origins)?);
                }
            }
            accesses.push((buffer, subscripts));
        }
        let all = lifted.domain.dim(DimType::Set)?;
        // Functions of all that has the tuple: what holds for the instances is in the build, which
        // may assume less of the parameters than the domain says.
        let to_tile = lifted
            .space()?
            .identity()?
            .project_out(DimType::Out, lifted.tile_dims, all - lifted.tile_dims)?
            .reset_tuple_id(DimType::Out)?;
        Ok(Prepared {
            lifted,
            accesses,
            to_original: PwMultiAff::from_map(&lifted.projection(scop)?)?,
            to_tile: PwMultiAff::from_map(&to_tile)?,
        })
    }

    /// Name of the lifted statement.
    pub(crate) fn name(&self) -> &str {
        &self.lifted.name
    }

    /// The instance that is executed at `site`; `dims` are its dimensions there.
    pub(crate) fn instance(
        &self,
        scop: &Scop,
        dims: &[Index],
        site: &Site,
        name: &dyn Fn(&str) -> Index,
    ) -> Result<Instance> {
        let (tile, iterators) = dims.split_at(self.lifted.tile_dims);
        let at_place = At {
            prepared: self,
            site,
            name,
        };
        let statement = &scop.statements[self.lifted.statement];
        let mut places = Vec::new();
        for ((buffer, subscripts), access) in self.accesses.iter().zip(&statement.accesses) {
            let mut indices = Vec::new();
            for (dim, subscript) in subscripts.iter().enumerate() {
                indices.push(match &subscript.affine {
                    Some(affine) => {
                        PlaceIndex::Affine(at_place.affine(affine, subscript, tile, iterators)?)
                    }
                    None => PlaceIndex::Data {
                        subscript: access.subscripts[dim].clone(),
                        origin: at_place.data_origin(subscript, tile)?,
                    },
                });
            }
            places.push(Place {
                buffer: *buffer,
                indices,
            });
        }
        Ok(Instance {
            statement: self.lifted.statement,
            group: self.lifted.group,
            iterators: iterators.to_vec(),
            accesses: places,
            certain: Vec::new(),
            decided: Vec::new(),
        })
    }
}

/// Whether the buffer is local and has one element only.
fn is_single(buffer: &Buffer) -> bool {
    match &buffer.kind {
        BufferKind::Local { extents, .. } => extents.iter().all(|&extent| extent == 1),
        BufferKind::Full | BufferKind::Accumulators { .. } => false,
    }
}

fn subscript(
    scop: &Scop,
    access: &Access,
    dim: usize,
    buffer: &Buffer,
    temporary_origin: Option<&[Index]>,
) -> Result<Subscript> {
    let affine = access.affine[dim].clone();
    let linear = match &affine {
        Some(affine) => scop.linear_piece(affine)?,
        None => None,
    };
    let (origin, modulo) = match &buffer.kind {
        BufferKind::Full | BufferKind::Accumulators { .. } => (
            temporary_origin.map(|all| Origin::Params(all[dim].clone())),
            None,
        ),
        BufferKind::Local {
            origin,
            extents,
            folded,
            ..
        } => {
            let aff = origin[dim].clone();
            let linear = scop.linear(&aff)?;
            (
                Some(Origin::Tile { aff, linear }),
                folded[dim].then_some(extents[dim]),
            )
        }
    };
    if affine.is_none() && modulo.is_some() {
        return Err(Error::new(
            ErrorKind::Unsupported,
            format!(
                "the {} subscript of {} depends on data and its buffer is folded",
                if access.kind == AccessKind::Read {
                    "read"
                } else {
                    "written"
                },
                scop.arrays[access.array].name
            ),
        ));
    }
    Ok(Subscript {
        affine,
        linear,
        origin,
        modulo,
    })
}

/// A place in the code, for what isl simplifies: what holds there, and the instance that is executed
/// as a function of the place. Made when first needed.
pub(crate) struct Site<'a> {
    make: &'a dyn Fn() -> Result<(AstBuild, PwMultiAff)>,
    made: OnceCell<(AstBuild, PwMultiAff)>,
}

impl<'a> Site<'a> {
    pub(crate) fn new(make: &'a dyn Fn() -> Result<(AstBuild, PwMultiAff)>) -> Site<'a> {
        Site {
            make,
            made: OnceCell::new(),
        }
    }

    /// Fails where the place cannot be made.
    #[cfg(test)]
    pub(crate) fn check(&self) -> Result<()> {
        self.get().map(|_| ())
    }

    fn get(&self) -> Result<&(AstBuild, PwMultiAff)> {
        match self.made.get() {
            Some(made) => Ok(made),
            None => {
                let made = (self.make)()?;
                Ok(self.made.get_or_init(|| made))
            }
        }
    }
}

/// A statement at its place.
struct At<'a> {
    prepared: &'a Prepared<'a>,
    site: &'a Site<'a>,
    name: &'a dyn Fn(&str) -> Index,
}

impl At<'_> {
    fn affine(
        &self,
        affine: &PwAff,
        subscript: &Subscript,
        tile: &[Index],
        iterators: &[Index],
    ) -> Result<Index> {
        if subscript.modulo == Some(1) {
            return Ok(Index::Int(0));
        }
        let origin = match &subscript.origin {
            None => Some(Index::Int(0)),
            Some(Origin::Params(index)) => Some(index.clone()),
            Some(Origin::Tile { linear, .. }) => linear.as_ref().map(|linear| at(linear, tile)),
        };
        if let (Some(linear), Some(origin), None) = (&subscript.linear, &origin, subscript.modulo) {
            return Ok(at(linear, iterators).minus(origin));
        }
        let mut index = affine.pullback_pw_multi_aff(&self.prepared.to_original)?;
        if let Some(Origin::Tile { aff, .. }) = &subscript.origin {
            let origin = PwAff::from_aff(aff)?.pullback_pw_multi_aff(&self.prepared.to_tile)?;
            index = index.sub(&origin)?;
        }
        if let Some(modulo) = subscript.modulo {
            index = index.mod_val(&Val::int_from_si(index.ctx(), modulo)?)?;
        }
        let index = self.through_isl(&index)?;
        match &subscript.origin {
            Some(Origin::Params(origin)) => Ok(index.minus(origin)),
            _ => Ok(index),
        }
    }

    fn data_origin(&self, subscript: &Subscript, tile: &[Index]) -> Result<Option<Index>> {
        let origin = match &subscript.origin {
            None => return Ok(None),
            Some(Origin::Params(index)) => index.clone(),
            Some(Origin::Tile {
                linear: Some(linear),
                ..
            }) => at(linear, tile),
            Some(Origin::Tile { aff, .. }) => {
                let origin = PwAff::from_aff(aff)?;
                self.through_isl(&origin.pullback_pw_multi_aff(&self.prepared.to_tile)?)?
            }
        };
        Ok(Some(origin).filter(|origin| *origin != Index::Int(0)))
    }

    /// A function of the lifted instance, as an expression here.
    fn through_isl(&self, function: &PwAff) -> Result<Index> {
        let (build, here) = self.site.get()?;
        let expr = build.expr_from_pw_aff(&function.pullback_pw_multi_aff(here)?)?;
        from_ast(&expr, self.name)
    }
}
